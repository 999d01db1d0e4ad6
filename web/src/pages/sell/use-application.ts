import { applyToSell, getSellerApplication, withdrawSellerApplication } from '@nifty/api/auth/applications'
import { send } from '../../api/api.ts'
import { useEndpoint } from '../../api/use-endpoint.ts'

/** The account's newest application to sell, and functions that send one or take it back. */
export function useApplication() {
  const { data, error, mutate } = useEndpoint(getSellerApplication, {})

  const apply = async (form: { links: string[]; message: string }) => {
    const outcome = await send(applyToSell, { body: form })
    // Also after a refusal: another tab may have sent one.
    await mutate()
    return outcome
  }
  const withdraw = async () => {
    const outcome = await send(withdrawSellerApplication)
    await mutate()
    return outcome
  }

  return { application: data?.application, error, reload: () => mutate(), apply, withdraw }
}
