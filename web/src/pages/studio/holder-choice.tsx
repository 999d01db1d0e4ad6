import { useId } from 'react'
import { shorten } from '../../ui/shorten.ts'

/** Where the new token starts: kept by the store, or in the creator's own wallet. */
export function HolderChoice({ wallet, error }: { wallet: string | null; error: string | undefined }) {
  const id = useId()
  return (
    <fieldset className="holder">
      <legend className="field__label">HolderChoice</legend>
      <div className="holder__choice">
        <input type="radio" name="holder" value="custody" id={`${id}-custody`} defaultChecked />
        <label htmlFor={`${id}-custody`}>
          The store, for you
          <span className="holder__text">Sells at once, without any signature. You can take it out at any time.</span>
        </label>
      </div>
      <div className="holder__choice">
        <input type="radio" name="holder" value="wallet" id={`${id}-wallet`} disabled={!wallet} />
        <label htmlFor={`${id}-wallet`}>
          My wallet {wallet && <span className="tabular">{shorten(wallet, 6, 6)}</span>}
          <span className="holder__text">
            {wallet
              ? 'To sell it from there you sign once in your wallet; it costs nothing.'
              : 'Link a wallet in your settings and prove with a signature that it is yours.'}
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
