import { fullNameOf } from '@nifty/api/auth/full-name'
import * as api from '@nifty/api/auth/ops'
import { findGifts } from '@nifty/api/minting/ops'
import { searchContactMessages } from '@nifty/api/notification/contact-messages'
import { allowBuyer } from '@nifty/api/payments/disputes'
import { listUnpaidShares } from '@nifty/api/payments/ops-money'
import { plural } from '@nifty/api/plural'
import { useParams } from 'react-router-dom'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'
import { Action, Effects } from '../action/action.tsx'
import { FoundAuctions } from '../auctions/found-auctions.tsx'
import { Email } from '../links/email.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { useAccounts } from '../links/use-accounts.ts'
import { MailList } from '../mails/mail-list.tsx'
import { FoundOffers } from '../offers/found-offers.tsx'
import { FoundOrders } from '../orders/found-orders.tsx'
import { UnpaidShareTable } from '../payouts/unpaid-share-table.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { ActionLog, SecurityEvents } from '../system/audit.tsx'
import { Copied } from '../table/copied.tsx'
import { Contents, Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'
import { FoundWorks } from '../works/found-works.tsx'
import { Cards } from './cards.tsx'
import { LetterActions } from './letter-actions.tsx'

/** One account: state, rights, gifts, security events and what operators did with it. */
export function AccountPage() {
  const { id = '' } = useParams()
  const loaded = useStore('auth', api.describeAccount, { body: { account: id } }, { revalidateOnFocus: false })
  const named = useAccounts([id]).get(id)
  return (
    <Page title={loaded.data ? loaded.data.username : 'Account'}>
      <Contents loaded={loaded}>
        {({ userId, email, pendingEmail, emailConfirmed, admin, suspended, frozen, hasSecondFactor, ...account }) => (
          <>
            <Facts
              className="facts"
              entries={[
                ['Name', named && fullNameOf(named)],
                [
                  'E-mail',
                  <Copied key="email" text={email} label="Copy the address" shown={<Email address={email} />} />,
                ],
                ['Confirmed', emailConfirmed ? 'yes' : 'no'],
                ['New address', pendingEmail && <Email key="new" address={pendingEmail} />],
                ['May mint and sell', admin ? 'yes' : 'no'],
                ['Second factor', hasSecondFactor ? 'yes' : 'no'],
                ['Suspended', suspended && <State key="suspended" name="suspended" kind="bad" />],
                ['Frozen', frozen && <State key="frozen" name="frozen" kind="bad" />],
                [
                  'Deletion requested',
                  account.deletionRequestedAt && <Time key="deletion" at={account.deletionRequestedAt} />,
                ],
                [
                  'Wallet',
                  named &&
                    (named.wallet ? <Copied key="wallet" text={named.wallet} label="Copy the wallet" /> : 'none'),
                ],
                ['Id', <Copied key="id" text={userId} label="Copy the id" shown={shorten(userId, 8, 4)} />],
              ]}
            />
            <div className="actions">
              {admin ? (
                <AccountAction email={email} {...actions.revoke} />
              ) : (
                <AccountAction email={email} {...actions.grant} />
              )}
              {!emailConfirmed && <AccountAction email={email} {...actions.confirm} />}
              {hasSecondFactor && <AccountAction email={email} {...actions.secondFactor} />}
              {frozen && <AccountAction email={email} {...actions.unfreeze} />}
              {suspended ? (
                <AccountAction email={email} {...actions.reinstate} />
              ) : (
                <AccountAction email={email} {...actions.suspend} />
              )}
              <AllowBuyer userId={userId} />
              <LetterActions userId={userId} email={email} />
            </div>
          </>
        )}
      </Contents>
      <FoundOrders title="Orders by it" search={{ accountIds: [id], as: 'buyer' }} empty="It ordered nothing yet." />
      <FoundOrders
        title="Orders for its works"
        search={{ accountIds: [id], as: 'seller' }}
        empty="Nobody ordered a work of it yet."
      />
      <FoundOffers
        title="Offers made and received"
        search={{ accountId: id, state: 'any' }}
        empty="No offer is made or received yet."
      />
      <FoundAuctions
        title="Auctions started and bid in"
        search={{ accountId: id, state: 'any' }}
        empty="It started no auction and bid in none."
      />
      <Cards userId={id} />
      <Owed userId={id} />
      <FoundWorks title="Works" search={{ ownerId: id }} />
      <Gifts userId={id} />
      {loaded.data && <Messages email={loaded.data.email} />}
      <MailList ids={[id]} />
      <ActionLog title="What operators did with it" subject={id} />
      <SecurityEvents userId={id} />
    </Page>
  )
}

type Described = {
  endpoint:
    | typeof api.grantAdmin
    | typeof api.revokeAdmin
    | typeof api.suspendAccount
    | typeof api.reinstateAccount
    | typeof api.confirmEmail
    | typeof api.unfreezeAccount
    | typeof api.removeSecondFactorOf
  label: string
  title: string
  effects: string[]
  done: string
  variant?: 'danger'
}

const actions = {
  grant: {
    endpoint: api.grantAdmin,
    label: 'Let it sell…',
    title: 'Let the account sell',
    effects: ['It may mint and sell works', 'An application that waits is answered'],
    done: 'It may mint and sell.',
  },
  revoke: {
    endpoint: api.revokeAdmin,
    label: 'Revoke selling…',
    title: 'Revoke selling',
    effects: ['It may mint and sell no more', 'Its works leave the market; what is being bought goes on'],
    done: 'It may no longer sell.',
    variant: 'danger',
  },
  suspend: {
    endpoint: api.suspendAccount,
    label: 'Suspend…',
    title: 'Suspend the account',
    effects: ['Its sessions end, and it cannot log in', 'Its works leave the market, and its offers end'],
    done: 'It is suspended.',
    variant: 'danger',
  },
  reinstate: {
    endpoint: api.reinstateAccount,
    label: 'Reinstate…',
    title: 'Reinstate the account',
    effects: ['It may log in again; its works stay off the market until it lists them'],
    done: 'It may log in again.',
  },
  unfreeze: {
    endpoint: api.unfreezeAccount,
    label: 'Unfreeze…',
    title: 'End the freeze',
    effects: ['It may log in again with the password from before, which its owner has to change'],
    done: 'It may log in again.',
  },
  secondFactor: {
    endpoint: api.removeSecondFactorOf,
    label: 'Remove second factor…',
    title: 'Remove the second factor',
    effects: ['It logs in with its password alone, and its sessions end', 'Its owner gets a mail'],
    done: 'It logs in with the password only.',
    variant: 'danger',
  },
  confirm: {
    endpoint: api.confirmEmail,
    label: 'Confirm address…',
    title: 'Confirm the address',
    effects: ['The address counts as confirmed without the link of the mail'],
    done: 'The address is confirmed.',
  },
} satisfies Record<string, Described>

const AccountAction = ({ email, endpoint, effects, done, ...rest }: Described & { email: string }) => (
  <Action
    {...rest}
    effects={<Effects lines={effects} />}
    run={async ({ reason }) => {
      await request('auth', endpoint, { body: { email, reason } })
      return done
    }}
  />
)

const AllowBuyer = ({ userId }: { userId: string }) => (
  <Action
    label="Allow purchases…"
    title="Allow purchases again"
    effects={<p>After a lost dispute an account buys no more; it may again until it loses another one.</p>}
    run={async ({ reason }) => {
      const { disputes } = await request('payments', allowBuyer, { body: { userId, reason } })
      return disputes > 0 ? `It may buy again, after ${plural(disputes, 'lost dispute')}.` : 'It may buy already.'
    }}
  />
)

/** What it is owed and from when on; nothing for an account that sold nothing. */
function Owed({ userId }: { userId: string }) {
  const loaded = useStore('payments', listUnpaidShares, { params: { userId }, query: {} })
  if (loaded.data?.shares.length === 0) return null
  return (
    <Section title="Owed to it" loaded={loaded}>
      {(unpaid) => <UnpaidShareTable unpaid={unpaid} />}
    </Section>
  )
}

function Messages({ email }: { email: string }) {
  const loaded = useStore('notification', searchContactMessages, { body: { email } })
  return (
    <Section title="Contact messages" loaded={loaded}>
      {({ messages }) => (
        <Table
          caption="Messages of its address"
          rows={messages}
          rowKey={({ _id }) => _id}
          empty="No message has come from this address."
          columns={[
            { title: 'Subject', cell: ({ _id, subject }) => <Link to={`/messages/${_id}`}>{subject}</Link> },
            { title: 'Sent', cell: ({ at }) => <Time at={at} as="recent" /> },
            { title: 'State', cell: ({ state }) => <State name={state} /> },
          ]}
        />
      )}
    </Section>
  )
}

function Gifts({ userId }: { userId: string }) {
  const loaded = useStore('minting', findGifts, { params: { id: userId } })
  return (
    <Section title="Gifts" loaded={loaded}>
      {({ gifts }) => (
        <Table
          caption="Gifts"
          rows={gifts}
          rowKey={({ _id }) => _id}
          empty="No gift is given or received yet."
          columns={[
            { title: 'Work', cell: ({ name }) => name },
            { title: 'State', cell: ({ state }) => <State name={state} /> },
            { title: 'Order', cell: ({ orderId }) => orderId && <OrderLink id={orderId} /> },
            { title: 'Role', cell: ({ giverId }) => (giverId === userId ? 'giver' : 'recipient') },
            { title: 'To', cell: ({ email }) => email && <Email address={email} /> },
            { title: 'Until', cell: ({ until }) => until && <Time at={until} /> },
          ]}
        />
      )}
    </Section>
  )
}
