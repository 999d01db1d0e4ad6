import './work-picture.css'
import { officePaths } from '@nifty/api/office'
import { usePublicUrl } from '../store/public-url.ts'

/** Beside the title, so without a text of its own. `image`: a path on the store. */
export const WorkPicture = ({ image }: { image: string }) =>
  usePublicUrl() ? (
    <img
      className="work-picture"
      src={`${officePaths.pictures}/${image.split('/').at(-1)}`}
      alt=""
      width="56"
      height="56"
      loading="lazy"
    />
  ) : (
    <span className="work-picture" />
  )
