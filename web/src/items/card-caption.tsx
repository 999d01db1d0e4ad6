import { Avatar } from '../ui/avatar.tsx'
import { Link } from '../ui/link.tsx'

type Props = { url: string; name: string; price: string; owner: string }

/** The caption of a card as the document shows it: without what needs the app. */
export const CardCaption = ({ url, name, price, owner }: Props) => (
  <>
    <h3 className="item-card__name" dir="auto">
      <Link to={url}>{name}</Link>
    </h3>
    <p className="item-card__owner">
      <Avatar src={null} size={24} />
      <span className="visually-hidden">Owner: </span>
      <bdi className="item-card__username">{owner}</bdi>
    </p>
    <div className="item-card__sale">
      <p className="item-card__price">
        <span className="visually-hidden">Price: </span>
        <span className="tabular">{price}</span>
      </p>
    </div>
  </>
)
