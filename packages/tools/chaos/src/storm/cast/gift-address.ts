/** Where the link of the gift of a purchase is mailed. */
export const giftAddressOf = ({ place }: { place: number }) => `gift-${place}@storm.example`
