import { type FoundAuction, voidAuction } from '@nifty/api/catalog/auction-search'
import { Action, Effects } from '../action/action.tsx'
import { request } from '../store/request.ts'

/** Ends an auction that is not decided, without a sale. */
export const VoidAuction = ({ auction: { id, name } }: { auction: Pick<FoundAuction, 'id' | 'name'> }) => (
  <Action
    label="Void…"
    title="Void the auction"
    variant="danger"
    effects={
      <Effects
        lines={[
          `The auction of “${name}” ends without a sale, and nobody is charged`,
          'All holds are given back, and seller and bidders get a mail',
          'The seller may start another auction',
        ]}
      />
    }
    run={async ({ reason }) => {
      await request('catalog', voidAuction, { params: { id }, body: { reason } })
      return 'The auction is void.'
    }}
  />
)
