/** By which operators search works. */
export const itemStates = ['for_sale', 'reserved', 'hidden', 'featured'] as const
