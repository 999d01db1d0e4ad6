import type { ComponentType } from 'react'
import { DisputePage } from './disputes/dispute-page.tsx'
import { DisputesPage } from './disputes/disputes-page.tsx'
import { FiguresPage } from './figures/figures-page.tsx'
import { MessagePage } from './messages/message-page.tsx'
import { MessagesPage } from './messages/messages-page.tsx'
import { OrderPage } from './orders/order-page.tsx'
import { OrdersPage } from './orders/orders-page.tsx'
import { SearchPage } from './search/search-page.tsx'

type OfficePage = {
  path: string
  component: ComponentType
  /** In the navigation; absent for a page that others link to. */
  title?: string
}

/** Every page, in the order of the navigation. */
export const pages: OfficePage[] = [
  { path: '/orders', title: 'Orders', component: OrdersPage },
  { path: '/orders/:id', component: OrderPage },
  { path: '/disputes', title: 'Disputes', component: DisputesPage },
  { path: '/disputes/:id', component: DisputePage },
  { path: '/messages', title: 'Messages', component: MessagesPage },
  { path: '/messages/:id', component: MessagePage },
  { path: '/figures', title: 'Figures', component: FiguresPage },
  { path: '/search', component: SearchPage },
]

export const navigation = pages.filter((page): page is OfficePage & { title: string } => page.title !== undefined)
