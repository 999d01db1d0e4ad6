import {
  changeSeries,
  createSeries,
  listExhibitions,
  listOwnSeries,
  type OwnSeries,
  removeSeries,
} from '@nifty/api/catalog/exhibitions'
import { mutate as mutateAll } from 'swr'
import { send } from '../../api/api.ts'
import { isKeyOf, useEndpoint } from '../../api/use-endpoint.ts'

export type SeriesForm = Pick<OwnSeries, 'title' | 'description' | 'itemIds'>

/** The artist's series, and functions that change them and reload the lists. */
export function useSeries() {
  const { data, error, mutate } = useEndpoint(listOwnSeries, {})
  const reload = async () => {
    await mutate()
    await mutateAll((key) => isKeyOf(listExhibitions, key))
  }

  /** Makes a series, or changes the one of this id. */
  const save = async (form: SeriesForm, id?: string) => {
    const outcome = id
      ? await send(changeSeries, { params: { id }, body: form })
      : await send(createSeries, { body: form })
    if (outcome.ok) await reload()
    return outcome
  }
  const remove = async (id: string) => {
    const outcome = await send(removeSeries, { params: { id } })
    await reload()
    return outcome
  }

  return { series: data?.series, error, reload, save, remove }
}
