import type { Head } from './pages.ts'
import type { PreloadHints } from './preload-hints.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

type Place = {
  url: string
  publicUrl: string
  hints: PreloadHints
}

/** The built index.html with the head of one page in place of its own title and description. */
export function renderDocument(template: string, head: Head, { url, publicUrl, hints }: Place) {
  const meta = (name: string, content: string) =>
    `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}" />`
  const tags = [
    `<title>${escapeHtml(head.title)}</title>`,
    meta('description', head.description),
    meta('og:site_name', 'Nifty'),
    meta('og:type', 'website'),
    meta('og:title', head.title),
    meta('og:description', head.description),
    meta('og:url', `${publicUrl}${url}`),
    meta('twitter:card', head.image ? 'summary_large_image' : 'summary'),
    ...(head.image ? [meta('og:image', `${publicUrl}${head.image}?w=960`)] : []),
    ...(head.index ? [`<link rel="canonical" href="${escapeHtml(publicUrl + url)}" />`] : [meta('robots', 'noindex')]),
    ...hints.scripts.map((path) => `<link rel="modulepreload" crossorigin href="${path}" />`),
    ...hints.requests.map((path) => `<link rel="preload" as="fetch" crossorigin href="${escapeHtml(path)}" />`),
    ...hints.images.map(
      ({ srcset, sizes }) =>
        `<link rel="preload" as="image" imagesrcset="${escapeHtml(srcset)}" imagesizes="${escapeHtml(sizes)}" fetchpriority="high" />`,
    ),
  ]
  return template
    .replace(/<title>[^<]*<\/title>/, '')
    .replace(/<meta\s+name="description"[^>]*>/, '')
    .replace('</head>', () => `${tags.join('\n')}\n</head>`)
}
