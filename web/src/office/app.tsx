import type { OfficeSession } from '@nifty/api/office'
import { BrowserRouter, type RouteObject, useRoutes } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { navigation, pages } from './pages.ts'
import { Page } from './shell/page.tsx'
import { Shell } from './shell/shell.tsx'
import { PublicUrl } from './store/public-url.ts'
import type { StoreError } from './store/request.ts'

const routes = (operator: string): RouteObject[] => [
  {
    element: <Shell operator={operator} navigation={navigation} />,
    children: [
      ...pages.map(({ path, component: Component }) => ({ path, element: <Component /> })),
      { path: '*', element: <NoPage /> },
    ],
  },
]

const NoPage = () => (
  <Page title="There is no such page">
    <p>The navigation has all of them.</p>
  </Page>
)

const swr = {
  // What a service refuses is final.
  shouldRetryOnError: ({ status }: StoreError) => status === 0 || status >= 500,
  errorRetryInterval: 10_000,
}

export const App = ({ session: { operator, publicUrl } }: { session: OfficeSession }) => (
  <SWRConfig value={swr}>
    <PublicUrl value={publicUrl}>
      <BrowserRouter>
        <Routes operator={operator} />
      </BrowserRouter>
    </PublicUrl>
  </SWRConfig>
)

const Routes = ({ operator }: { operator: string }) => useRoutes(routes(operator))
