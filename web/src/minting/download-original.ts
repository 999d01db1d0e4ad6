import { getOriginal } from '@nifty/api/minting/public'
import { originalFileName } from '@nifty/api/work-image'
import { type ApiError, send } from '../api/api.ts'
import { saveFile } from '../ui/save-file.ts'

type Work = { name: string; image: string; contract: string; identifier: string }

/** Of at most 20 MB, on a slow connection. */
const TIMEOUT_MS = 10 * 60_000

/** Saves the file of a work, for its owner. Resolves to the error of a download that failed. */
export async function downloadOriginal({ name, image, contract, identifier }: Work): Promise<ApiError | undefined> {
  const outcome = await send(getOriginal, { params: { contract, identifier }, timeoutMs: TIMEOUT_MS })
  if (!outcome.ok) return outcome.error
  const file = outcome.data as Blob
  saveFile(originalFileName(name, image.split('.').at(-1)!), [file], file.type)
}
