import { type Mutant, mutant } from './mutant.ts'

const cards = 'services/payments/src/card-customers'
const actions = `${cards}/card-customer.actions.ts`
const store = `${cards}/card-customer.store.ts`
const cardsTest = `${cards}/card-customer.test.ts`

export const cardMutants: Mutant[] = [
  mutant(
    'cards-forgotten-during-payment',
    'a Customer is deleted after the payments that need it',
    { file: actions, find: 'if (customer.isNeeded) {', replace: 'if (false) {' },
    {
      file: cardsTest,
      title: 'cards are forgotten after an open payment and its capture; meanwhile new pages remember none',
    },
  ),
  mutant(
    'cards-forgotten-during-hold',
    'a held card needs its Customer, and not only an open page',
    { file: store, find: "(money = 'held'\n      or exists", replace: '(exists' },
    { file: cardsTest, title: 'a held offer needs the Customer until it ended' },
  ),
  mutant(
    'page-while-forgetting',
    'no new page has a Customer that is being forgotten',
    { file: actions, find: 'if (stored.forgetRequestedAt) return null', replace: '' },
    { file: cardsTest, title: 'while the processor is down cards are being forgotten, and then they are' },
  ),
  mutant(
    'customer-by-its-first-key',
    'a Customer after a deletion has a key of its own',
    { file: actions, find: 'number === 1 ?', replace: 'number > 0 ?' },
    { file: cardsTest, title: '“Forget my cards” deletes the Customer, twice as well; the next page has a new one' },
  ),
  mutant(
    'deleted-customer-kept',
    'a Customer that the processor lacks is replaced',
    {
      file: 'services/payments/src/orders/steps/open-session.ts',
      find: 'if (isCustomerMissing(error) && !order.cancelRequestedBy)',
      replace: 'if (false)',
    },
    {
      file: cardsTest,
      title: 'a Customer that was deleted at the processor by hand is replaced by the next page',
    },
  ),
  mutant(
    'sale-needs-customer',
    'a page is opened also when the processor creates no Customer',
    {
      file: actions,
      find: "log.warn({ err: error, userId }, 'card customers: the processor has none",
      replace: "throw error\n    log.warn({ err: error, userId }, 'card customers: the processor has none",
    },
    {
      file: cardsTest,
      title: 'a page never fails for want of a Customer: without the right, and without a response',
    },
  ),
  mutant(
    'customer-with-former-address',
    'a page without the present address of the account has no Customer',
    { file: actions, find: 'if (address === null) return null', replace: 'if (address === null) address = ""' },
    {
      file: cardsTest,
      title: 'while auth does not respond the page has no Customer, whose address may be a former one',
    },
  ),
  mutant(
    'address-sent-each-time',
    'a Customer that has the address takes no call',
    { file: actions, find: 'hasAddress(stored, email)) return', replace: 'false) return' },
    {
      file: cardsTest,
      title: 'a page makes one call to the processor, the first of an account two, and one of a changed address two',
    },
  ),
  mutant(
    'address-known-before-its-update',
    'an address whose update may be lost is unknown',
    { file: store, find: '.set({ emailDigest: null })', replace: '.set({ emailDigest: stored.emailDigest })' },
    {
      file: cardsTest,
      title: 'an update of the address before the process was killed is made again, also to the former address',
    },
  ),
  mutant(
    'customer-created-unrecorded',
    'the creation of a Customer is committed before its request',
    { file: actions, find: 'await requestCreation(db, wanted)', replace: 'await requestCreation(trx, wanted)' },
    {
      file: cardsTest,
      title: 'one that no page has is deleted: after a kill, a lost response, and the deletion of the account',
    },
  ),
  mutant(
    'cards-of-deleted-account',
    'the deletion of an account deletes its Customer',
    { file: 'services/payments/src/consumers.ts', find: 'await requestRemoval(trx, userId)', replace: '' },
    { file: cardsTest, title: 'the deletion of an account deletes its Customer and the row' },
  ),
  mutant(
    'customer-lost-by-restore',
    'a rebuilt order brings back the Customer of its session',
    {
      file: 'services/payments/src/orders/rebuild.actions.ts',
      find: 'if (customerId) await restoreCustomer',
      replace: 'if (!customerId) await restoreCustomer',
    },
    {
      file: cardsTest,
      title: 'a database that was restored to before the row finds the Customer by its key, later by its sessions',
    },
  ),
]
