import './backdrop-video.css'
import { useEffect, useState } from 'react'
import { useConsent } from '../../consent/consent-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useConfig } from '../../use-config.ts'
import { videoSource } from './video-source.ts'

/**
 * The operator's video over the still picture of log-in, sign-up and reset. It comes last, after the form works, and only
 * for those who allowed content of third parties, asked for no less motion and have the room to see it.
 */
export function BackdropVideo() {
  const { consent } = useConsent()
  const { videoUrl } = useConfig()
  const calm = useMedia('(prefers-reduced-motion: reduce)')
  const roomy = useMedia('(min-width: 60rem)')
  const settled = useSettled()
  const [playing, setPlaying] = useState(true)
  const [seen, setSeen] = useState(false)

  const source = videoUrl ? videoSource(videoUrl) : undefined
  if (!source || !consent?.preferences.marketing || calm || !roomy || !settled) return null

  const there = () => setSeen(true)
  return (
    <div className="backdrop-video">
      {playing && source.kind === 'file' && (
        <video data-seen={seen} src={source.src} autoPlay muted loop playsInline tabIndex={-1} onPlaying={there} />
      )}
      {playing && source.kind === 'embed' && (
        <iframe
          data-seen={seen}
          src={source.src}
          title="Background video"
          allow="autoplay"
          referrerPolicy="strict-origin"
          tabIndex={-1}
          onLoad={there}
        />
      )}
      <IconButton
        className="backdrop-video__pause"
        label={playing ? 'Stop the background video' : 'Play the background video'}
        onClick={() => {
          setPlaying(!playing)
          setSeen(false)
        }}
      >
        <Icon name={playing ? 'pause' : 'play'} />
      </IconButton>
    </div>
  )
}

/** True once the page has loaded and the browser has nothing better to do. */
function useSettled() {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(() => setSettled(true), 800)
    }
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true })
    return () => {
      removeEventListener('load', wait)
      clearTimeout(timer)
    }
  }, [])
  return settled
}
