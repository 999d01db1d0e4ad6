import { invalid, missingObject } from '../api/api-error.ts'
import { reading } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { flag, list, text } from '../api/parameter.ts'

const events = '/v1/events'

/** `charge.*` means every type that begins so. */
const isOfType = (type: string, wanted: string) =>
  wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted

export const eventEndpoints = [
  reading(`${events}/:id`, { expand: list(text()) }, (books, _, { id }) => {
    const event = books.find('event', id!)
    if (!event) throw missingObject('event', id!, 'id')
    return event
  }),

  reading(
    events,
    { ...paging, type: text(), types: list(text(), { most: 20 }), delivery_success: flag() },
    (books, { type, types, delivery_success, ...rest }) => {
      if (type && types) throw invalid('You may only specify one of these parameters: type, types.', { param: 'type' })
      const wanted = types ?? (type ? [type] : undefined)
      const found = books
        .list('event')
        .filter((event) => !wanted || wanted.some((each) => isOfType(event.type, each)))
        .filter((event) => delivery_success === undefined || (event.pending_webhooks === 0) === delivery_success)
      return page(found, rest, events)
    },
  ),
]
