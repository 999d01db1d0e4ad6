/** By which operators search accounts. */
export const accountStates = ['seller', 'suspended', 'frozen', 'deletion_requested'] as const
