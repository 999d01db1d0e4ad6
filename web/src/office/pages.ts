import type { ComponentType } from 'react'
import { AccountPage } from './accounts/account-page.tsx'
import { AccountsPage } from './accounts/accounts-page.tsx'
import { ApplicationsPage } from './applications/applications-page.tsx'
import { AuctionPage } from './auctions/auction-page.tsx'
import { AuctionsPage } from './auctions/auctions-page.tsx'
import { BooksPage } from './books/books-page.tsx'
import { ChainPage } from './chain/chain-page.tsx'
import { DeliveriesPage } from './deliveries/deliveries-page.tsx'
import { DeliveryPage } from './deliveries/delivery-page.tsx'
import { DisputePage } from './disputes/dispute-page.tsx'
import { DisputesPage } from './disputes/disputes-page.tsx'
import { ExhibitionsPage } from './exhibitions/exhibitions-page.tsx'
import { FiguresPage } from './figures/figures-page.tsx'
import { MessagePage } from './messages/message-page.tsx'
import { MessagesPage } from './messages/messages-page.tsx'
import { OffersPage } from './offers/offers-page.tsx'
import { OrderPage } from './orders/order-page.tsx'
import { OrdersPage } from './orders/orders-page.tsx'
import { PayoutsPage } from './payouts/payouts-page.tsx'
import { SearchPage } from './search/search-page.tsx'
import { SystemPage } from './system/system-page.tsx'
import { TodayPage } from './today/today-page.tsx'
import { WorkPage } from './works/work-page.tsx'
import { WorksPage } from './works/works-page.tsx'

type OfficePage = {
  path: string
  component: ComponentType
  /** In the navigation; absent for a page that others link to. */
  title?: string
}

/** Every page, in the order of the navigation; the first one is the start page. */
export const pages: OfficePage[] = [
  { path: '/', title: 'Today', component: TodayPage },
  { path: '/orders', title: 'Orders', component: OrdersPage },
  { path: '/orders/:id', component: OrderPage },
  { path: '/offers', title: 'Offers', component: OffersPage },
  { path: '/auctions', title: 'Auctions', component: AuctionsPage },
  { path: '/auctions/:id', component: AuctionPage },
  { path: '/disputes', title: 'Disputes', component: DisputesPage },
  { path: '/disputes/:id', component: DisputePage },
  { path: '/messages', title: 'Messages', component: MessagesPage },
  { path: '/messages/:id', component: MessagePage },
  { path: '/accounts', title: 'Accounts', component: AccountsPage },
  { path: '/accounts/:id', component: AccountPage },
  { path: '/works', title: 'Works', component: WorksPage },
  { path: '/works/:id', component: WorkPage },
  { path: '/books', title: 'Books', component: BooksPage },
  { path: '/payouts', title: 'Payouts', component: PayoutsPage },
  { path: '/applications', title: 'Applications', component: ApplicationsPage },
  { path: '/exhibitions', title: 'Exhibitions', component: ExhibitionsPage },
  { path: '/figures', title: 'Figures', component: FiguresPage },
  { path: '/deliveries', title: 'Deliveries', component: DeliveriesPage },
  { path: '/deliveries/:id', component: DeliveryPage },
  { path: '/chain', title: 'Chain', component: ChainPage },
  { path: '/system', title: 'System', component: SystemPage },
  { path: '/search', component: SearchPage },
]

export const navigation = pages.filter((page): page is OfficePage & { title: string } => page.title !== undefined)
