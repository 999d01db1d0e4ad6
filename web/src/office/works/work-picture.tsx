import './work-picture.css'
import { officePaths } from '@nifty/api/office'
import { usePublicUrl } from '../store/public-url.ts'

type Props = {
  /** A path on the store. */
  image: string
  size?: 'small' | 'large'
}

const pixels = { small: 56, large: 240 }

/** Beside or below the title, so without a text of its own. */
export const WorkPicture = ({ image, size = 'small' }: Props) =>
  usePublicUrl() ? (
    <img
      className="work-picture"
      data-size={size}
      src={`${officePaths.pictures}/${image.split('/').at(-1)}`}
      alt=""
      width={pixels[size]}
      height={pixels[size]}
      loading="lazy"
    />
  ) : (
    <span className="work-picture" data-size={size} />
  )
