import {
  accountChanged,
  accountDeleted,
  emailConfirmationRequested,
  passwordResetRequested,
  securityNoticed,
  signUpRepeated,
} from '@nifty/events/auth'
import { orderLineAuthorised, orderLineCompleted, orderLineRefunded, orderLineReleased } from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import {
  sayGoodbye,
  writeAlreadyRegistered,
  writeConfirmation,
  writePasswordReset,
  writeSecurityNotice,
} from './accounts/account.actions.ts'
import type { Database } from './db.ts'
import { saveContact } from './recipients/recipient.store.ts'
import { openLine, tellCompleted, tellRefunded, tellReleased } from './sales/sale.actions.ts'

/** Everything this service listens to: whatever a person should be told. */
export const subscriptionsOf = (publicUrl: string): Subscription<Database>[] => [
  on(accountChanged, saveContact),
  on(accountDeleted, sayGoodbye),
  on(emailConfirmationRequested, (trx, event) => writeConfirmation(trx, event, publicUrl)),
  on(signUpRepeated, (trx, event) => writeAlreadyRegistered(trx, event, publicUrl)),
  on(passwordResetRequested, (trx, event) => writePasswordReset(trx, event, publicUrl)),
  on(securityNoticed, (trx, event) => writeSecurityNotice(trx, event, publicUrl)),
  on(orderLineAuthorised, openLine),
  on(orderLineCompleted, (trx, event) => tellCompleted(trx, event, publicUrl)),
  on(orderLineReleased, (trx, event) => tellReleased(trx, event, publicUrl)),
  on(orderLineRefunded, (trx, event) => tellRefunded(trx, event, publicUrl)),
]
