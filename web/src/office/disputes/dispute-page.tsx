import { findMails } from '@nifty/api/notification/mails'
import { orderNumber } from '@nifty/api/order-number'
import { clearDispute, type Evidence, getEvidence, submitEvidence } from '@nifty/api/payments/disputes'
import { useParams } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { Price } from '../../ui/price.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Time } from '../../ui/time.tsx'
import { Action, Effects } from '../action/action.tsx'
import { Email } from '../links/email.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Contents, Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'

/** One dispute: its order, the evidence as files, and the form that submits it. */
export function DisputePage() {
  const { id = '' } = useParams()
  const loaded = useStore('payments', getEvidence, { params: { id } })
  const { data } = loaded
  const mails = useStore(
    'notification',
    findMails,
    data ? { body: { ids: [data.orderId, id, ...data.lineIds] } } : null,
  )
  return (
    <Page
      title={data ? `Dispute about ${orderNumber(data.orderId)}` : 'Dispute'}
      aside={
        data && (
          <div className="actions">
            {data.takesEvidence && <Submit id={id} evidence={data.evidence} dueBy={data.dueBy} />}
            <Clear id={id} />
          </div>
        )
      }
    >
      <Contents loaded={loaded}>
        {({ dispute, orderId, dueBy, takesEvidence, files }) => (
          <>
            <Facts
              className="facts"
              entries={[
                ['Dispute', dispute.id],
                ['State', <State key="state" name={dispute.status} />],
                ['Reason', dispute.reason?.replaceAll('_', ' ')],
                ['Amount', dispute.amount !== null && <Price key="amount" euros={dispute.amount} />],
                ['Withdrawn', <Price key="withdrawn" euros={dispute.withdrawn} />],
                ['Order', <OrderLink key="order" id={orderId} />],
                ['Evidence due by', takesEvidence && dueBy && <Time key="due" at={dueBy} />],
                ['Borne by', dispute.borneBy === 'platform' ? 'the store' : dispute.borneBy],
              ]}
            />
            <Section title="Evidence" loaded={{ ...loaded, error: undefined, data: files }}>
              {(listed) => (
                <Table
                  caption="Files of evidence"
                  rows={listed}
                  rowKey={({ name }) => name}
                  empty="No file."
                  columns={[
                    { title: 'File', cell: ({ name }) => name },
                    { title: 'Characters', isNumber: true, cell: ({ text }) => text.length },
                    { title: '', cell: (file) => <Save {...file} /> },
                  ]}
                />
              )}
            </Section>
            <Section title="Mails" about="What was mailed about the order. Their texts are not kept." loaded={mails}>
              {({ mails: found }) => (
                <>
                  <Table
                    caption="Mails about the order"
                    rows={found}
                    rowKey={({ _id }) => _id}
                    empty="No mail is stored about it."
                    columns={[
                      { title: 'Subject', cell: ({ subject, template }) => subject || template },
                      { title: 'Sent', cell: ({ sentAt }) => sentAt && <Time at={sentAt} as="recent" /> },
                      { title: 'To', cell: ({ recipient }) => recipient && <Email address={recipient} /> },
                    ]}
                  />
                  {found.length > 0 && <Save name="mails.json" text={JSON.stringify(found, null, 2)} />}
                </>
              )}
            </Section>
          </>
        )}
      </Contents>
    </Page>
  )
}

const Save = ({ name, text }: { name: string; text: string }) => (
  <div className="table__actions">
    <Button variant="secondary" onClick={() => saveFile(name, [text], 'text/plain')}>
      Save {name}
    </Button>
  </div>
)

const Submit = ({ id, evidence, dueBy }: { id: string; evidence: Evidence; dueBy: string | null }) => (
  <Action
    label="Submit evidence…"
    title="Submit the evidence"
    variant="primary"
    effects={
      <Effects
        lines={[
          'The card processor passes it on to the bank, which then decides',
          'It can be submitted once',
          ...(dueBy
            ? [
                <span key="due">
                  The bank takes it until <Time at={dueBy} />
                </span>,
              ]
            : []),
        ]}
      />
    }
    run={async ({ text, reason }) => {
      const names = ['customerName', 'customerEmail', 'serviceDate', 'description', 'text'] as const
      const given = Object.fromEntries(names.flatMap((name) => (text(name).trim() ? [[name, text(name)]] : [])))
      const { status } = await request('payments', submitEvidence, {
        params: { id },
        body: { evidence: given, reason },
      })
      return `Submitted. The dispute is ${status.replaceAll('_', ' ')}.`
    }}
  >
    <Field label="Customer" name="customerName" defaultValue={evidence.customerName} maxLength={200} />
    <Field label="Customer’s address" name="customerEmail" defaultValue={evidence.customerEmail} maxLength={254} />
    <Field label="Day of the delivery" name="serviceDate" defaultValue={evidence.serviceDate} maxLength={100} />
    <TextArea
      label="What was sold"
      name="description"
      defaultValue={evidence.description}
      maxLength={20_000}
      rows={3}
    />
    <TextArea label="What happened" name="text" defaultValue={evidence.text} maxLength={20_000} rows={8} />
  </Action>
)

const Clear = ({ id }: { id: string }) => (
  <Action
    label="Clear…"
    title="Free its works and shares"
    variant="danger"
    effects={<p>Works and shares that it holds are free until it reaches its next stage. The dispute goes on.</p>}
    run={async ({ reason }) => {
      await request('payments', clearDispute, { body: { reversalId: id, reason } })
      return 'Its works and shares are free.'
    }}
  />
)
