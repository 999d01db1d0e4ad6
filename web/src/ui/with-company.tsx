import type { Company } from '@nifty/api/gateway'
import type { ReactNode } from 'react'
import { useCompany } from '../api/use-config.ts'

/** For texts that are constants: who runs the store is known once the settings have arrived. */
export const WithCompany = ({ children }: { children: (company: Company) => ReactNode }) => children(useCompany())

/** Nothing before the settings have arrived: a link without an address has no name. */
export const CompanyEmail = ({ className }: { className?: string }) => {
  const { email } = useCompany()
  if (!email) return null
  return (
    <a href={`mailto:${email}`} className={className}>
      {email}
    </a>
  )
}
