import type { Loaded } from '../store/use-store.ts'

/** A part of what was loaded, for a section of its own. */
export const part = <Data, Part>({ data, error, reload }: Loaded<Data>, pick: (data: Data) => Part): Loaded<Part> => ({
  data: data === undefined ? undefined : pick(data),
  error,
  reload,
})
