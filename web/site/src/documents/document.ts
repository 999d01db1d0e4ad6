import type { Store } from '@nifty/api/gateway'
import { documentTitle, siteDescription } from '@nifty/api/pages'
import type { Content } from '@nifty/content/content'
import type { Branding } from '@nifty/service-kit/base/branding'
import { SHARE_HEIGHT, SHARE_WIDTH } from '../share-images/card.ts'
import { escapeHtml } from '../share-images/escape-html.ts'
import type { EntryParts } from './entry-pages.ts'
import type { Head } from './pages.ts'

type Place = {
  url: string
  publicUrl: string
  store: Store
  branding: Branding
  content: Content
  entry: EntryParts
}

const meta = (name: string, content: string) =>
  `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}" />`

function shareTags({ image, alt }: NonNullable<Head['share']>, publicUrl: string): string[] {
  return [
    meta('og:image', `${publicUrl}${image}`),
    meta('og:image:type', 'image/jpeg'),
    meta('og:image:width', String(SHARE_WIDTH)),
    meta('og:image:height', String(SHARE_HEIGHT)),
    meta('og:image:alt', alt),
    meta('twitter:card', 'summary_large_image'),
    meta('twitter:image', `${publicUrl}${image}`),
    meta('twitter:image:alt', alt),
  ]
}

/** As the build writes it (`web/start.ts`). */
const templateOfApp = /<template id="app">(.*?)<\/template>/s

const themeColor = /<meta name="theme-color"[^>]*>/

/** A data block: browsers do not run it. "<" is written so that no text can end it. */
const dataBlock = (attributes: string, data: object) =>
  `<script ${attributes}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`

/** What the app shows at once, and the addresses of the other texts; `web/src/texts/texts.ts` reads it. */
const textsOf = ({ texts: { home }, hashes }: Content) =>
  dataBlock('type="application/json" id="texts"', { home, hashes })

/** The built index.html with the head of one page, its prerendered markup, the name of the store and its texts. */
export function renderDocument(
  template: string,
  head: Head,
  { url, publicUrl, store, branding, content, entry }: Place,
) {
  const own = `${publicUrl}${head.path ?? url}`
  const description = head.description ?? siteDescription(store.tagline)
  const tags = [
    `<title>${escapeHtml(documentTitle(head.title, store.name))}</title>`,
    meta('description', description),
    // The app reads the name here (`web/src/api/store-name.ts`).
    meta('og:site_name', store.name),
    meta('og:type', 'website'),
    meta('og:title', documentTitle(head.share?.title ?? head.title, store.name)),
    meta('og:description', description),
    meta('og:url', own),
    ...(head.share ? shareTags(head.share, publicUrl) : [meta('twitter:card', 'summary')]),
    ...(head.index ? [`<link rel="canonical" href="${escapeHtml(own)}" />`] : [meta('robots', 'noindex')]),
    ...(head.structured ? [dataBlock('type="application/ld+json"', head.structured)] : []),
    textsOf(content),
    ...entry.images.map(
      ({ srcset, sizes }) =>
        `<link rel="preload" as="image" imagesrcset="${escapeHtml(srcset)}" imagesizes="${escapeHtml(sizes)}" fetchpriority="high" />`,
    ),
  ]
  const { style, theme } = branding
  if (style) tags.push(`<style>${style}</style>`)
  // What the app needs does not share the line with what the first screen needs: `web/src/app/start.ts` follows these
  // hints after the paint. A document that shows nothing by itself has them in its head.
  const later = [
    ...entry.scripts.map((path) => `<link rel="modulepreload" crossorigin href="${path}" fetchpriority="low" />`),
    ...entry.requests.map(
      (path) => `<link rel="preload" as="fetch" crossorigin href="${escapeHtml(path)}" fetchpriority="low" />`,
    ),
  ]
  const hints = [templateOfApp.exec(template)?.[1] ?? '', ...later].join('\n')
  const app = entry.markup ? `<template id="app">${hints}</template>` : hints
  return template
    .replace(themeColor, (tag) =>
      theme.background ? `<meta name="theme-color" content="${theme.background}" />` : tag,
    )
    .replaceAll('%store.name%', () => escapeHtml(store.name))
    .replace(templateOfApp, '')
    .replace('</head>', () => `${[...tags, app].join('\n')}\n</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${entry.markup}</div>`)
}
