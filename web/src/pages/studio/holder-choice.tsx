import { useId } from 'react'
import { shorten } from '../../ui/shorten.ts'

/** Who holds the new token: the store (custody) or the creator's wallet. */
export function HolderChoice({ wallet, error }: { wallet: string | null; error: string | undefined }) {
  const id = useId()
  return (
    <fieldset className="holder">
      <legend className="field__label">Holder</legend>
      <div className="holder__choice">
        <input type="radio" name="holder" value="custody" id={`${id}-custody`} defaultChecked />
        <label htmlFor={`${id}-custody`}>
          The store, for you
          <span className="holder__text">
            Can be sold at once, without a signature. You can withdraw it at any time.
          </span>
        </label>
      </div>
      <div className="holder__choice">
        <input type="radio" name="holder" value="wallet" id={`${id}-wallet`} disabled={!wallet} />
        <label htmlFor={`${id}-wallet`}>
          My wallet {wallet && <span className="tabular">{shorten(wallet, 6, 6)}</span>}
          <span className="holder__text">
            {wallet
              ? 'To sell it from there, sign once in your wallet; it is free.'
              : 'Link a wallet in your settings and verify it with a signature.'}
          </span>
        </label>
      </div>
      {error && (
        <p className="holder__error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
