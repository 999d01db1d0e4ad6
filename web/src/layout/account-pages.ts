import { pages, pathPattern } from '@nifty/api/pages'

const patterns = Object.values(pages)
  .filter((page) => 'account' in page)
  .map(({ path }) => new RegExp(pathPattern(path)))

/** Pages of an account or an order, which have the short footer. */
export const isAccountPage = (pathname: string) => patterns.some((pattern) => pattern.test(pathname))
