import { age } from '@nifty/api/age'
import {
  closeFinding,
  getStatus,
  listSigners,
  type OpsStatus,
  resumeSigner,
  type SignerStatus,
  setSignerState,
} from '@nifty/api/minting/ops'
import { purchaseRefusals } from '@nifty/api/minting/purchase-refusals'
import { plural } from '@nifty/api/plural'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import { Action, Effects } from '../action/action.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { part } from '../table/part.ts'
import { Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

/** Signers, deliveries and what the audit of the chain found. */
export function ChainPage() {
  const status = useStore('minting', getStatus, {}, { refreshInterval: 15_000 })
  const contracts = useStore('minting', listSigners, {})
  return (
    <Page title="Chain">
      <Section title="State" loaded={status}>
        {(state) => <ChainFacts state={state} />}
      </Section>
      <Section
        title="Signers"
        about={
          <>
            <code>pnpm ops signers add</code> and <code>remove</code> change the roles on the contracts, with the
            owner’s key.
          </>
        }
        loaded={part(status, ({ signers }) => signers)}
      >
        {(signers) => <Signers signers={signers} />}
      </Section>
      <Section title="Findings" loaded={part(status, ({ auditFindings }) => auditFindings)}>
        {(findings) => <Findings findings={findings} />}
      </Section>
      <Section title="Contracts" loaded={contracts}>
        {({ chainId, collection, delivery }) => (
          <Facts
            className="facts"
            entries={[
              ['Chain', String(chainId)],
              ['Collection', collection],
              ['Delivery', delivery],
            ]}
          />
        )}
      </Section>
    </Page>
  )
}

const seconds = (value: number | null) => (value === null ? 'unknown' : `${Math.round(value)} s old`)

const ChainFacts = ({ state: { deliveries, mintsWaiting, chain, index, finality } }: { state: OpsStatus }) => (
  <Facts
    className="facts"
    entries={[
      [
        'Purchases',
        chain?.refusal ? (
          <State key="refused" name={`refused: ${purchaseRefusals[chain.refusal]}`} kind="bad" />
        ) : (
          <State key="accepted" name="accepted" kind="good" />
        ),
      ],
      [
        'Deliveries',
        <Link key="deliveries" to="/deliveries">{`${deliveries.waiting} wait, ${deliveries.signed} are signed`}</Link>,
      ],
      [
        'Oldest delivery',
        deliveries.oldest && (
          <Link key="oldest" to={`/deliveries/${deliveries.oldest.lineId}`}>
            {`${deliveries.oldest.state} for ${age(deliveries.oldest.since)} ${deliveries.oldest.note ?? ''}`}
          </Link>
        ),
      ],
      ['Mints', `${mintsWaiting} wait`],
      ['Newest block', chain && seconds(chain.headAgeSeconds)],
      ['Indexed block', `${index.block ?? '?'} of ${index.finalBlock ?? '?'}`],
      ['Base fee', chain && `${chain.baseFeeGwei?.toFixed(1) ?? '?'} of at most ${chain.maxFeeGwei} gwei`],
      ['Index halted', index.haltedReason],
      ['Finality waits', finality.waitSeconds > 0 && `${Math.round(finality.waitSeconds)} s: ${finality.reason}`],
    ]}
  />
)

const Signers = ({ signers }: { signers: SignerStatus[] }) => (
  <Table
    caption="Signers"
    rows={signers}
    rowKey={({ address }) => address}
    empty="There is no signer yet."
    columns={[
      { title: 'Address', cell: ({ address }) => <span className="mono">{address}</span> },
      {
        title: 'State',
        cell: ({ state, haltedReason }) => (
          <State name={haltedReason ? 'halted' : state} kind={haltedReason ? 'bad' : undefined} />
        ),
      },
      { title: 'Halted because', cell: ({ haltedReason }) => haltedReason },
      {
        title: 'Open',
        cell: ({ openTransactions, oldestOpen }) =>
          `${openTransactions}${oldestOpen ? `, the oldest for ${age(oldestOpen)}` : ''}`,
      },
      {
        title: 'Gas left',
        cell: ({ balance }) =>
          balance ? `${Math.floor(balance.deliveriesLeft).toLocaleString('en-GB')} deliveries` : 'unknown',
      },
      { title: 'Key', cell: ({ keyConfigured }) => (keyConfigured ? 'present' : 'missing') },
      {
        title: '',
        cell: ({ address, state, haltedReason }) => (
          <div className="table__actions">
            {haltedReason && <Resume address={address} />}
            {state !== 'retired' && <SetState address={address} to={state === 'active' ? 'draining' : 'active'} />}
          </div>
        ),
      },
    ]}
  />
)

const Resume = ({ address }: { address: string }) => (
  <Action
    label="Resume…"
    title="Resume the signer"
    effects={
      <Effects
        lines={[
          'It signs again with its next nonce',
          'Only after its cause is found: if another program has the key, remove the signer (runbook NiftySignerHalted)',
        ]}
      />
    }
    run={async ({ reason }) => {
      const { nextNonce } = await request('minting', resumeSigner, { body: { address, reason } })
      return `It continues with nonce ${nextNonce}.`
    }}
  />
)

const SetState = ({ address, to }: { address: string; to: 'active' | 'draining' }) => (
  <Action
    label={to === 'active' ? 'Let it sign…' : 'Drain…'}
    title={to === 'active' ? 'Let the signer sign' : 'Drain the signer'}
    variant={to === 'active' ? 'secondary' : 'danger'}
    effects={
      <p>
        {to === 'active'
          ? 'It signs new transactions, if the contracts have it and its key is configured.'
          : 'It signs nothing new; its open transactions are followed to their end. Without another one purchases are refused.'}
      </p>
    }
    run={async ({ reason }) => {
      await request('minting', setSignerState, { body: { address, state: to, reason } })
      return `The signer is ${to}.`
    }}
  />
)

const Findings = ({ findings }: { findings: OpsStatus['auditFindings'] }) => (
  <Table
    caption="Findings"
    rows={findings}
    rowKey={({ hash }) => hash}
    empty="The audit of the chain found nothing."
    columns={[
      { title: 'Transaction', cell: ({ hash }) => <span className="mono">{hash}</span> },
      { title: 'Block', cell: ({ block }) => block },
      {
        title: 'Carried',
        cell: ({ lines, mints }) => `${plural(lines.length, 'line')}, ${plural(mints.length, 'mint')}`,
      },
      { title: 'Found', cell: ({ foundAt }) => <Time at={foundAt} /> },
      {
        title: '',
        cell: ({ hash }) => (
          <div className="table__actions">
            <Action
              label="Close…"
              title="Close the finding"
              effects={<p>What was found counts as dealt with (runbook NiftyFinalityBroken).</p>}
              run={async ({ reason }) => {
                await request('minting', closeFinding, { body: { hash, reason } })
                return 'The finding is closed.'
              }}
            />
          </div>
        ),
      },
    ]}
  />
)
