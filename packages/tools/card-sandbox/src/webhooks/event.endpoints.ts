import { readEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { boolean, list, text } from '../api/parameter.ts'
import { invalid, missingObject } from '../errors/api-error.ts'

const events = '/v1/events'

/** `charge.*` matches every type with that prefix. */
const isOfType = (type: string, wanted: string) =>
  wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted

export const eventEndpoints = [
  readEndpoint(`${events}/:id`, { expand: list(text()) }, (store, _, { id }) => {
    const event = store.find('event', id!)
    if (!event) throw missingObject('event', id!, 'id')
    return event
  }),

  readEndpoint(
    events,
    { ...paging, type: text(), types: list(text(), { most: 20 }), delivery_success: boolean() },
    (store, { type, types, delivery_success, ...rest }) => {
      if (type && types) throw invalid('You may only specify one of these parameters: type, types.', { param: 'type' })
      const wanted = types ?? (type ? [type] : undefined)
      const found = store
        .list('event')
        .filter((event) => !wanted || wanted.some((each) => isOfType(event.type, each)))
        .filter((event) => delivery_success === undefined || (event.pending_webhooks === 0) === delivery_success)
      return page(found, rest, events)
    },
  ),
]
