import './backdrop-video.css'
import { videoSource } from '@nifty/api/video-source'
import { useEffect, useState } from 'react'
import { useConfig } from '../../api/use-config.ts'
import { useConsent } from '../../consent/consent-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useMedia } from '../../ui/use-media.ts'

/**
 * The operator's video over the still image. Loaded last, after the form works, and only with consent to third-party
 * content, without reduced motion and on a wide screen.
 */
export function BackdropVideo() {
  const { consent } = useConsent()
  const { videoUrl } = useConfig()
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)')
  const wide = useMedia('(min-width: 60rem)')
  const idle = useIdle()
  const [enabled, setEnabled] = useState(true)
  const [playing, setPlaying] = useState(false)

  const source = videoUrl ? videoSource(videoUrl) : undefined
  if (!source || !consent?.preferences.marketing || reducedMotion || !wide || !idle) return null

  const onPlaying = () => setPlaying(true)
  return (
    <div className="backdrop-video">
      {enabled && source.kind === 'file' && (
        <video
          data-playing={playing}
          src={source.src}
          autoPlay
          muted
          loop
          playsInline
          tabIndex={-1}
          onPlaying={onPlaying}
        />
      )}
      {enabled && source.kind === 'embed' && (
        <iframe
          data-playing={playing}
          src={source.src}
          title="Background video"
          allow="autoplay"
          referrerPolicy="strict-origin"
          tabIndex={-1}
          onLoad={onPlaying}
        />
      )}
      <IconButton
        className="backdrop-video__pause"
        label={enabled ? 'Stop the background video' : 'Play the background video'}
        onClick={() => {
          setEnabled(!enabled)
          setPlaying(false)
        }}
      >
        <Icon name={enabled ? 'pause' : 'play'} />
      </IconButton>
    </div>
  )
}

/** True 800 ms after the page's load event. */
function useIdle() {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(() => setIdle(true), 800)
    }
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true })
    return () => {
      removeEventListener('load', wait)
      clearTimeout(timer)
    }
  }, [])
  return idle
}
