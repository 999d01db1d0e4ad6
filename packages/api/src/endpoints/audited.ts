import { deleteAccount } from '../auth/deletion.ts'
import { createPasskey, loginWithPasskey, removePasskey, renamePasskey } from '../auth/passkeys.ts'
import * as auth from '../auth/public.ts'
import { confirmTotp, loginWithSecondFactor, removeSecondFactor, replaceRecoveryCodes } from '../auth/second-factor.ts'
import { endOtherSessions, endOwnSession } from '../auth/sessions.ts'
import { stepUp } from '../auth/step-up.ts'
import { cancelAuction, startAuction } from '../catalog/auctions.ts'
import { acceptOffer, declineOffer, setOfferMinimum } from '../catalog/offers.ts'
import { removeFromSale, setPrice } from '../catalog/public.ts'
import { hideOwnItem, showOwnItem } from '../catalog/visibility.ts'
import type { Endpoint } from '../endpoint.ts'
import { makeCertificateLink, removeCertificateLink } from '../minting/certificates.ts'
import { claimGift, giveWork, readdressGift, takeBackGift } from '../minting/gifts.ts'
import { findGifts } from '../minting/ops.ts'
import { createMint, createPermit, createWithdrawal } from '../minting/public.ts'
import { getContactMessage } from '../notification/contact-messages.ts'
import { exportAccount, exportMails, exportMints, exportOrders, exportWorks } from '../own-data.ts'
import { makeBid } from '../payments/bids.ts'
import { forgetCards } from '../payments/cards.ts'
import { getEvidence } from '../payments/disputes.ts'
import { makeOffer } from '../payments/offers.ts'
import { getOrderHistory } from '../payments/ops.ts'
import { startPurchase } from '../payments/public.ts'

/**
 * Endpoints whose requests are security events, with the kind of event. Commands of operators (`operator`) and refusals
 * of any other endpoint (`access_denied`) are recorded without an entry here.
 */
export const auditedEndpoints = new Map<Endpoint, string>([
  [auth.login, 'log_in'],
  [auth.lockscreenLogin, 'log_in'],
  [loginWithSecondFactor, 'log_in'],
  [loginWithPasskey, 'log_in'],
  [auth.logout, 'log_out'],
  [endOwnSession, 'session_ended'],
  [endOtherSessions, 'sessions_ended'],
  [auth.signup, 'sign_up'],
  [auth.verifyEmail, 'email_confirmed'],
  [auth.requestPasswordReset, 'reset_requested'],
  [auth.resetPassword, 'password_reset'],
  [auth.changePassword, 'password_changed'],
  [auth.changeProfile, 'profile_changed'],
  [auth.connectMetamask, 'wallet_changed'],
  [confirmTotp, 'second_factor_on'],
  [replaceRecoveryCodes, 'recovery_codes_replaced'],
  [removeSecondFactor, 'second_factor_off'],
  [createPasskey, 'passkey_added'],
  [renamePasskey, 'passkey_renamed'],
  [removePasskey, 'passkey_removed'],
  [stepUp, 'step_up'],
  [auth.freezeAccount, 'account_frozen'],
  [deleteAccount, 'account_deleted'],
  [exportAccount, 'data_exported'],
  [exportMints, 'data_exported'],
  [exportWorks, 'data_exported'],
  [exportOrders, 'data_exported'],
  [exportMails, 'data_exported'],
  [setPrice, 'listing'],
  [removeFromSale, 'delisting'],
  [setOfferMinimum, 'offer_minimum'],
  [acceptOffer, 'offer_accepted'],
  [declineOffer, 'offer_declined'],
  [hideOwnItem, 'item_hidden'],
  [showOwnItem, 'item_shown'],
  [createPermit, 'listing_signed'],
  [createMint, 'mint'],
  [createWithdrawal, 'withdrawal'],
  [giveWork, 'gift'],
  [readdressGift, 'gift_readdressed'],
  [takeBackGift, 'gift_taken_back'],
  [claimGift, 'gift_claimed'],
  [makeCertificateLink, 'certificate_link_made'],
  [removeCertificateLink, 'certificate_link_switched_off'],
  [startPurchase, 'purchase'],
  [makeOffer, 'offer'],
  [makeBid, 'bid'],
  [forgetCards, 'cards_forgotten'],
  [startAuction, 'auction_started'],
  [cancelAuction, 'auction_cancelled'],
  // What operators read of one person by GET.
  [getOrderHistory, 'operator'],
  [getEvidence, 'operator'],
  [findGifts, 'operator'],
  [getContactMessage, 'operator'],
])
