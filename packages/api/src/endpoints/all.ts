import * as authAccount from '../auth/account.ts'
import * as accountSearch from '../auth/account-search.ts'
import * as authApplications from '../auth/applications.ts'
import * as authCorrections from '../auth/corrections.ts'
import * as authCovers from '../auth/covers.ts'
import * as authDeletion from '../auth/deletion.ts'
import * as authInternal from '../auth/internal.ts'
import * as authOps from '../auth/ops.ts'
import * as authPasskeys from '../auth/passkeys.ts'
import * as authPublic from '../auth/public.ts'
import * as authSecondFactor from '../auth/second-factor.ts'
import * as authSessions from '../auth/sessions.ts'
import * as authStepUp from '../auth/step-up.ts'
import * as auctionSearch from '../catalog/auction-search.ts'
import * as catalogAuctions from '../catalog/auctions.ts'
import * as catalogBids from '../catalog/bids.ts'
import * as catalogCreators from '../catalog/creators.ts'
import * as catalogExhibitions from '../catalog/exhibitions.ts'
import * as catalogFavourites from '../catalog/favourites.ts'
import * as catalogFollows from '../catalog/follows.ts'
import * as catalogInternal from '../catalog/internal.ts'
import * as itemSearch from '../catalog/item-search.ts'
import * as offerSearch from '../catalog/offer-search.ts'
import * as catalogOffers from '../catalog/offers.ts'
import * as catalogOps from '../catalog/ops.ts'
import * as catalogPublic from '../catalog/public.ts'
import * as catalogSitemap from '../catalog/sitemap.ts'
import * as catalogVisibility from '../catalog/visibility.ts'
import { type Endpoint, isEndpoint } from '../endpoint.ts'
import * as errors from '../errors.ts'
import * as messages from '../messages.ts'
import * as mintingCertificates from '../minting/certificates.ts'
import * as mintingDeliveries from '../minting/deliveries.ts'
import * as mintingGifts from '../minting/gifts.ts'
import * as mintingInternal from '../minting/internal.ts'
import * as mintingOps from '../minting/ops.ts'
import * as mintingPublic from '../minting/public.ts'
import * as contactMessages from '../notification/contact-messages.ts'
import * as mails from '../notification/mails.ts'
import * as notices from '../notification/notices.ts'
import * as notificationOps from '../notification/ops.ts'
import * as notificationPublic from '../notification/public.ts'
import * as operatorActions from '../operator-actions.ts'
import * as ownData from '../own-data.ts'
import * as alarms from '../payments/alarms.ts'
import * as paymentsBids from '../payments/bids.ts'
import * as cardCustomers from '../payments/card-customers.ts'
import * as paymentsCards from '../payments/cards.ts'
import * as disputes from '../payments/disputes.ts'
import * as lostWorks from '../payments/lost-works.ts'
import * as paymentsOffers from '../payments/offers.ts'
import * as paymentsOps from '../payments/ops.ts'
import * as paymentsOpsMoney from '../payments/ops-money.ts'
import * as orderSearch from '../payments/order-search.ts'
import * as processorEvents from '../payments/processor-events.ts'
import * as paymentsPublic from '../payments/public.ts'
import * as rebuiltOrders from '../payments/rebuilt-orders.ts'
import * as sales from '../payments/sales.ts'
import * as salesPause from '../payments/sales-pause.ts'
import * as securityEvents from '../security-events.ts'
import type { ServiceName } from '../services.ts'
import * as shapes from '../shapes.ts'
import * as statistics from '../statistics.ts'

const constants = new Map<object, string>()
const nameConstants = (...modules: object[]) => {
  for (const module of modules)
    for (const [name, value] of Object.entries(module))
      if (typeof value === 'object' && value !== null) constants.set(value, name)
}
nameConstants(authAccount, errors, ownData, shapes, statistics)

/** Names of endpoints and shapes in OpenAPI documents: those of their constants. */
export const constantNames: ReadonlyMap<object, string> = constants

function endpointsOf(...modules: object[]): Endpoint[] {
  nameConstants(...modules)
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint))
}

/** Every endpoint of every service: what its public port serves, and what its internal port serves. */
export const endpoints: Record<ServiceName, { public: Endpoint[]; internal: Endpoint[] }> = {
  auth: {
    public: [
      ...endpointsOf(
        authPublic,
        authApplications,
        authCovers,
        authDeletion,
        authStepUp,
        authSessions,
        authSecondFactor,
        authPasskeys,
      ),
      ownData.exportAccount,
    ],
    internal: [
      ...endpointsOf(authInternal, authOps, authCorrections, accountSearch, messages, securityEvents, operatorActions),
      ownData.exportOwnData,
      statistics.getAccountStatistics,
    ],
  },
  catalog: {
    public: [
      ...endpointsOf(
        catalogPublic,
        catalogOffers,
        catalogAuctions,
        catalogCreators,
        catalogVisibility,
        catalogExhibitions,
        catalogSitemap,
        catalogFavourites,
        catalogFollows,
      ),
      ownData.exportWorks,
    ],
    internal: [
      ...endpointsOf(
        catalogInternal,
        catalogBids,
        catalogOps,
        offerSearch,
        auctionSearch,
        itemSearch,
        messages,
        securityEvents,
        operatorActions,
      ),
      ownData.exportOwnData,
      statistics.getMarketStatistics,
    ],
  },
  minting: {
    public: [...endpointsOf(mintingPublic, mintingGifts, mintingCertificates), ownData.exportMints],
    internal: [
      ...endpointsOf(mintingInternal, mintingOps, mintingDeliveries, messages, securityEvents, operatorActions),
      ownData.exportOwnData,
    ],
  },
  notification: {
    public: [...endpointsOf(notificationPublic, notices), ownData.exportMails],
    internal: [
      ...endpointsOf(notificationOps, contactMessages, mails, messages, securityEvents, operatorActions),
      ownData.exportOwnData,
      statistics.getMailStatistics,
    ],
  },
  payments: {
    public: [...endpointsOf(paymentsPublic, paymentsOffers, paymentsBids, paymentsCards), ownData.exportOrders],
    internal: [
      ...endpointsOf(
        paymentsOps,
        paymentsOpsMoney,
        alarms,
        cardCustomers,
        orderSearch,
        sales,
        disputes,
        processorEvents,
        lostWorks,
        rebuiltOrders,
        salesPause,
        messages,
        securityEvents,
        operatorActions,
      ),
      ownData.exportOwnData,
      statistics.getSalesStatistics,
    ],
  },
}
