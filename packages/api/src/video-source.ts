import { parseUrl } from './url.ts'

type Source = { kind: 'file' | 'embed'; src: string }

const looped = { autoplay: '1', mute: '1', muted: '1', loop: '1', controls: '0', playsinline: '1' }

/**
 * Turns a video URL into a muted loop: a file, or an embed from the host that sets no cookies. The page plays it, and
 * the gateway allows its host.
 */
export function videoSource(address: string): Source | undefined {
  const url = parseUrl(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (/\.(mp4|webm)$/i.test(url.pathname)) return { kind: 'file', src: url.href }

  const youtube = youtubeId(url)
  const vimeo = vimeoId(url)
  const target = youtube
    ? new URL(`https://www.youtube-nocookie.com/embed/${youtube}`)
    : vimeo
      ? new URL(`https://player.vimeo.com/video/${vimeo}`)
      : url
  // YouTube loops a single video only as a playlist of itself.
  const settings = youtube
    ? { ...looped, playlist: youtube, rel: '0', disablekb: '1' }
    : { ...looped, background: '1', dnt: '1' }
  for (const [name, value] of Object.entries(settings)) target.searchParams.set(name, value)
  return { kind: 'embed', src: target.href }
}

function youtubeId({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname === 'youtu.be') return pathname.slice(1)
  if (!/(^|\.)youtube(-nocookie)?\.com$/.test(hostname)) return undefined
  return searchParams.get('v') ?? pathname.match(/^\/embed\/([\w-]+)/)?.[1]
}

const vimeoId = ({ hostname, pathname }: URL) =>
  /^(www\.)?vimeo\.com$/.test(hostname) ? pathname.match(/^\/(\d+)/)?.[1] : undefined
