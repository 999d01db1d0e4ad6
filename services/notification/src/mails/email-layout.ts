/**
 * Content of a mail, as plain text; rendering escapes it for HTML. No mail has the recipient's name: a sign-up
 * with the address of a stranger may have any text as its name.
 */
export type EmailContent = {
  subject: string
  paragraphs: string[]
  facts?: [name: string, value: string][]
  action?: { label: string; url: string }
  /** Small print at the end. */
  footnote?: string
  /** A link at the very end that switches these mails off. */
  unsubscribe?: { label: string; url: string }
}

const greeting = 'Hello,'
const signature = 'Nifty, the store that connects artists with collectors of NFT art'

export function renderText({ paragraphs, facts = [], action, footnote, unsubscribe }: EmailContent): string {
  const blocks = [
    greeting,
    ...paragraphs,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    action ? `${action.label}:\n${action.url}` : '',
    footnote ?? '',
    unsubscribe ? `${unsubscribe.label}:\n${unsubscribe.url}` : '',
    `-- \n${signature}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** A word that is wider than its line breaks; `overflow-wrap: break-word` would widen the table instead. */
const breaking = 'word-break:break-word'

/** Uses tables and inline styles, because mail programs support no other layout reliably. */
export function renderHtml(content: EmailContent): string {
  const { subject, paragraphs, facts = [], action, footnote, unsubscribe } = content
  const paragraph = (text: string, style = '') =>
    `<p style="margin:0 0 16px;font-size:16px;line-height:1.55;color:#2a2a30;${breaking};${style}">${escapeHtml(text)}</p>`
  const rows = facts
    .map(
      ([name, value]) =>
        `<tr><td style="padding:8px 16px 8px 0;color:#6b6b75;font-size:14px;vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td>` +
        `<td style="padding:8px 0;color:#0b0b0d;font-size:14px;${breaking}">${escapeHtml(value)}</td></tr>`,
    )
    .join('')
  const button = action
    ? `<p style="margin:8px 0 24px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:14px 24px;background:#0b0b0d;color:#d9ff52;font-size:16px;font-weight:600;text-decoration:none;border-radius:8px">${escapeHtml(action.label)}</a></p>` +
      paragraph(`If the button does not work: ${action.url}`, 'font-size:13px;color:#6b6b75;word-break:break-all')
    : ''
  const leave = unsubscribe
    ? `<p style="margin:0;font-size:13px"><a href="${escapeHtml(unsubscribe.url)}" style="color:#6b6b75">${escapeHtml(unsubscribe.label)}</a></p>`
    : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f3f1ec;font-family:Inter,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:16px;overflow:hidden">
<tr><td style="padding:20px 32px;background:#0b0b0d;color:#f3f1ec;font-size:20px;font-weight:700;letter-spacing:-0.02em">Nifty<span style="color:#d9ff52">.</span></td></tr>
<tr><td style="padding:32px"><h1 style="margin:0 0 20px;font-size:24px;line-height:1.2;letter-spacing:-0.02em;color:#0b0b0d;${breaking}">${escapeHtml(subject)}</h1>
${paragraph(greeting)}${paragraphs.map((text) => paragraph(text)).join('')}
${rows ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-top:1px solid #e4e1da;border-bottom:1px solid #e4e1da;width:100%">${rows}</table>` : ''}
${button}${footnote ? paragraph(footnote, 'font-size:13px;color:#6b6b75') : ''}${leave}</td></tr>
</table><p style="margin:16px 0 0;font-size:12px;color:#6b6b75">${escapeHtml(signature)}</p></td></tr></table></body></html>`
}
