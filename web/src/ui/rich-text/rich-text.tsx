import type { ComponentPropsWithoutRef, MouseEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { isPlainClick } from '../link.tsx'

type Props = { html: string; as?: 'div' | 'p' | 'ol' } & Pick<ComponentPropsWithoutRef<'div'>, 'className' | 'lang'>

/** HTML that the server rendered from Markdown. Links to own pages do not load the document anew. */
export function RichText({ html, as: Tag = 'div', ...rest }: Props) {
  const navigate = useNavigate()
  const follow = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest('a')
    const href = link?.getAttribute('href')
    if (!href?.startsWith('/') || !isPlainClick(event)) return
    event.preventDefault()
    void navigate(href)
  }
  return <Tag {...rest} onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
}
