import './image-drop.css'
import { type DragEvent, useEffect, useId, useState } from 'react'
import { Icon } from '../icon.tsx'

type Props = {
  label: string
  hint: string
  accept: string
  error?: string
  file: File | undefined
  /** The present image, shown until a file is chosen. */
  current?: string | null
  /** `round` crops to a portrait, `wide` to a band three times as wide as high. */
  shape?: 'whole' | 'round' | 'wide'
  /** Enlarged with hard edges. */
  pixelated?: boolean
  onFile: (file: File | undefined) => void
}

/** A drop zone and file input for one image, with a preview. */
export function ImageDrop({ label, hint, accept, error, file, current, shape = 'whole', pixelated, onFile }: Props) {
  const id = useId()
  const [over, setOver] = useState(false)
  const preview = useObjectUrl(file) ?? current

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped) onFile(dropped)
  }

  return (
    <div className="image-drop" data-shape={shape} data-invalid={error ? true : undefined}>
      <label
        className="image-drop__area"
        data-over={over || undefined}
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {preview ? (
          <img src={preview} alt="" data-pixelated={pixelated || undefined} />
        ) : (
          <span className="image-drop__prompt">
            <Icon name="image" size={40} />
            <span className="image-drop__label">{label}</span>
            {shape === 'whole' && <span>{hint}</span>}
          </span>
        )}
        <input
          id={id}
          type="file"
          className="image-drop__input"
          aria-label={label}
          accept={accept}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            if (event.target.files?.[0]) onFile(event.target.files[0])
          }}
        />
      </label>
      <p id={`${id}-note`} className="image-drop__note" role={error ? 'alert' : undefined}>
        {error ?? (file ? `${file.name}. Click or drop to choose another.` : shape !== 'whole' && hint)}
      </p>
    </div>
  )
}

/** An object URL for the preview of a local file. */
export function useObjectUrl(file: File | undefined) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file) return setUrl(undefined)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
