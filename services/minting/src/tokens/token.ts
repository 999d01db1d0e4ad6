import { notFound } from '@nifty/service-kit/base/errors'

export const tokenNotFound = () => notFound('token_not_found', 'NFT not found')
