import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { ResendConfirmation } from '../account/confirmation/resend-confirmation.tsx'
import { isOnAuction } from '../auctions/auction-state.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { Notice } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { GiftFields, giftErrors } from './gift-fields.tsx'
import { GiftState } from './gift-state.tsx'
import { giveWork, useGifts, waitingGiftOf } from './use-gifts.ts'

type Work = Pick<NftDetail, 'contract' | 'identifier' | 'name' | 'forSale' | 'reserved' | 'auction' | 'custody'>

/** For the owner of a work in custody: giving it away, and a gift of it that waits for its recipient. */
export function GiftControl({ work, user }: { work: Work; user: CurrentUser }) {
  const { gifts, reload } = useGifts({ enabled: work.custody })
  const [giving, setGiving] = useState(false)
  if (!work.custody) return null
  const gift = waitingGiftOf(gifts, work)
  if (!gift && (work.forSale || work.reserved || isOnAuction(work))) return null
  return (
    <section className="panel__part">
      <h2 className="panel__label">{gift ? 'Your gift' : 'Give it away'}</h2>
      {gift ? (
        <GiftState gift={gift} onChanged={() => void reload()} />
      ) : (
        <Button variant="secondary" onClick={() => setGiving(true)}>
          Give this work
        </Button>
      )}
      <Dialog open={giving && !gift} title={`Give “${work.name}”`} onClose={() => setGiving(false)}>
        {user.emailConfirmed ? (
          <GiftForm
            work={work}
            onGiven={() => {
              setGiving(false)
              void reload()
            }}
          />
        ) : (
          <ResendConfirmation className="notice">Please confirm your email address first.</ResendConfirmation>
        )}
      </Dialog>
    </section>
  )
}

function GiftForm({ work: { contract, identifier }, onGiven }: { work: Work; onGiven: () => void }) {
  const [until, setUntil] = useState<string>()
  const { busy, onSubmit, message, fields } = useForm(async ({ text }) => {
    const outcome = await giveWork({ contract, identifier, email: text('email'), text: text('text') })
    if (!outcome.ok) {
      const { errors, details, message: reason } = outcome.error
      setUntil(typeof details.until === 'string' ? details.until : undefined)
      return errors.length > 0 ? { fields: giftErrors(errors) } : { message: reason }
    }
    toast.success('The link is on its way')
    onGiven()
    return undefined
  })
  return (
    <form className="gift-fields" onSubmit={onSubmit}>
      <GiftFields errors={fields} />
      {message && (
        <Notice kind="error">
          {message}
          {until && (
            <>
              {' '}
              You can give it from <Time at={until} /> on.
            </>
          )}
        </Notice>
      )}
      <Button type="submit" busy={busy} busyLabel="One moment...">
        Give it
      </Button>
    </form>
  )
}
