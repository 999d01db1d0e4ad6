/** For how many days an offer can be accepted. The longest leaves a card hold of 7 days its delivery and capture. */
export const offerDays = [1, 3, 5] as const
export type OfferDays = (typeof offerDays)[number]
