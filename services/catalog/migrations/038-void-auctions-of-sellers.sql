-- outside a transaction
drop index concurrently if exists auction_void_of_seller;

-- Void auctions that had bids: operators see their number beside the seller.
create index concurrently auction_void_of_seller on auction (seller_id) where state = 'void' and bids > 0;
