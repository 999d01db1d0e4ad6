import { notFound } from '@nifty/service-kit/errors'

export const tokenNotFound = () => notFound('token_not_found', 'NFT not found')
