import { type Branding, MAIL_LOGO } from '@nifty/service-kit/base/branding'
import { defaultColours } from '@nifty/service-kit/base/theme'

/** Height of the logo in pixels, which is narrower than the head of a mail. */
const LOGO_HEIGHT = 36
const MAX_LOGO_WIDTH = 320

/** Colours as #rrggbb, by their names in layout.mjml. `logo`: absolute address and size in pixels. */
export type MailLook = {
  colours: Record<
    'head' | 'headText' | 'headAccent' | 'button' | 'buttonText' | 'ground' | 'heading' | 'body' | 'muted' | 'line',
    string
  >
  logo: { src: string; width: number; height: number } | null
}

/** How a shop's mails look: the head as its pages, the rest as its printed sheets. */
export function mailLookOf(
  { theme, mailLogoRatio }: Pick<Branding, 'theme' | 'mailLogoRatio'>,
  publicUrl: string,
): MailLook {
  const { background: head, text: headText, accent: headAccent } = { ...defaultColours, ...theme }
  // A theme's background may be as light as the mail itself: its button is that of the pages.
  const button = theme.background ? { button: headAccent, buttonText: head } : { button: head, buttonText: headAccent }
  const width = mailLogoRatio && Math.min(MAX_LOGO_WIDTH, Math.round(LOGO_HEIGHT * mailLogoRatio))
  return {
    colours: {
      head,
      headText,
      headAccent,
      ...button,
      ground: theme.sheet ?? '#f3f1ec',
      heading: theme['sheet-text'] ?? '#0b0b0d',
      body: theme['sheet-text'] ?? '#2a2a30',
      muted: theme['sheet-text-muted'] ?? '#6b6b75',
      line: theme['sheet-border'] ?? '#e4e1da',
    },
    logo:
      width && mailLogoRatio ? { src: publicUrl + MAIL_LOGO, width, height: Math.round(width / mailLogoRatio) } : null,
  }
}
