import { formatPrice } from '@nifty/api/price'

export const Price = ({ euros }: { euros: number }) => <span className="tabular">{formatPrice(euros)}</span>
