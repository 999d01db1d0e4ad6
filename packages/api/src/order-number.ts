/** The number of an order on every screen and in every mail: the first eight characters of its id, in capitals. */
export const orderNumber = (orderId: string) => orderId.slice(0, 8).toUpperCase()

/** Whether a text may be an order number; capitals or not, and with spaces or a `#` around it as people type them. */
export function parseOrderNumber(text: string): string | null {
  const [, digits] = /^\s*#?\s*([0-9a-f]{8})\s*$/i.exec(text) ?? []
  return digits ? digits.toUpperCase() : null
}
