import './last-look.css'
import { formatPrice } from '@nifty/api/price'
import type { NewItem } from '../../minting/use-mints.ts'
import { YouGet } from '../../selling/you-get.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { useObjectUrl } from '../../ui/forms/image-drop.tsx'
import { Notice } from '../../ui/state.tsx'

export const finality =
  'A mint is for good: picture, name, description and category cannot be changed later. The price can.'

type Props = {
  /** Undefined: closed. */
  work: NewItem | undefined
  /** What the artist should know about the picture. */
  notes: string[]
  pixelated: boolean | undefined
  euros: number | undefined
  busy: boolean
  onMint: (work: NewItem) => unknown
  onClose: () => void
}

/** Shows a work once more before it is minted, with what its artist gets for it. */
export function LastLook({ work, notes, pixelated, euros, busy, onMint, onClose }: Props) {
  const picture = useObjectUrl(work?.image)
  return (
    <Dialog open={work !== undefined} title="One last look" onClose={onClose}>
      {work && (
        <>
          <div className="last-look">
            <div className="last-look__frame">
              {picture && <img src={picture} alt={work.name} data-pixelated={pixelated || undefined} />}
            </div>
            <Facts
              className="last-look__facts"
              entries={[
                [
                  'Name',
                  <span key="name" dir="auto">
                    {work.name}
                  </span>,
                ],
                [
                  'Description',
                  <span key="text" dir="auto">
                    {work.description || 'None'}
                  </span>,
                ],
                ['Category', work.category],
                ['Holder', work.holder === 'wallet' ? 'My wallet' : 'The store, for you'],
                ['Price', euros === undefined ? 'Not for sale yet' : formatPrice(euros)],
              ]}
            />
          </div>
          <YouGet euros={euros} royaltyPercent={0} />
          {notes.map((note) => (
            <Notice key={note}>{note}</Notice>
          ))}
          <p>{finality}</p>
          <div className="last-look__actions">
            <Button busy={busy} busyLabel="Submitting..." onClick={() => onMint(work)}>
              Mint it for good
            </Button>
            <Button variant="text" disabled={busy} onClick={onClose}>
              Change something
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
