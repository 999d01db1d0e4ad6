import { createContext, useContext } from 'react'

/** Where visitors see the store, without a slash at its end; null where the office has no address of it. */
export const PublicUrl = createContext<string | null>(null)

export const usePublicUrl = () => useContext(PublicUrl)
