import { toast } from '../../ui/toast.tsx'
import { StoreError } from './request.ts'

/** Shows why a request was refused or failed. Throws any other error. */
export function showFailure(error: unknown) {
  if (!(error instanceof StoreError)) throw error
  toast.error(error.message)
}
