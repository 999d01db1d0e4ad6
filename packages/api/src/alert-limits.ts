/**
 * The limits of alerts that `pnpm ops status` and the office apply as well; `alerts.test.ts` compares them with the
 * expressions in `deploy/helm/observability/alerts.yaml`. Seconds, unless the name says otherwise.
 */
export const alertLimits = {
  NiftyOrderStuck: { seconds: 900 },
  NiftyOfferUndecided: { seconds: 60 },
  NiftyAuctionUndecided: { seconds: 300 },
  NiftyDeliveryStuck: { seconds: 600 },
  NiftyTransactionStuck: { seconds: 600 },
  NiftyFinalityLag: { blockSeconds: 120, indexBlocks: 100 },
  NiftyFinalityWaiting: { seconds: 300 },
  NiftyGasLow: { hours: 48 },
  NiftyEventsRetrying: { seconds: 60 },
  NiftyOutboxStuck: { seconds: 60 },
  NiftyMailsStuck: { seconds: 900, refused: 20 },
} as const
