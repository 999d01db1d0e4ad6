import type { EmailContent, MailedWork } from '../mails/email-layout.ts'

/** The mail about a work that has left the store's custody. `work`: null for a token of another collection. */
export const withdrawn = ({
  work,
  wallet,
  txHash,
  itemUrl,
}: {
  work: MailedWork | null
  wallet: string
  txHash: string
  itemUrl: string
}): EmailContent => ({
  subject: work ? `“${work.name}” is in your wallet` : 'Your work is in your wallet',
  paragraphs: [
    `${work ? `“${work.name}”` : 'Your work'} has left our custody. Its transfer to your wallet is final on the chain.`,
    'If your wallet does not show it yet, look among its hidden items.',
  ],
  works: work ? [work] : [],
  facts: [...(work ? [['Work', work.name] as [string, string]] : []), ['Wallet', wallet], ['Transaction', txHash]],
  action: { label: 'See the work', url: itemUrl },
})
