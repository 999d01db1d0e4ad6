// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Signers} from "./Signers.sol";

/**
 * @title HourlyLimit
 * @notice Limits how many tokens one signer mints or moves in a clock hour, so that a stolen key does little before its
 * owner removes it.
 */
abstract contract HourlyLimit is Signers {
    /// @dev One slot: the hour since 1970, and the tokens in it.
    struct Hour {
        uint64 number;
        uint64 tokens;
    }

    /// @dev One slot: `next` replaces `present` at `from`, in seconds since 1970.
    struct Limit {
        uint64 present;
        uint64 next;
        uint64 from;
    }

    Limit private _limit;

    mapping(address signer => Hour) private _hourOf;

    event LimitPerHourChanged(uint64 limit, uint256 from);

    /// @notice The signer has no tokens left until `retryAt` (seconds since 1970). It concerns no line and no mint: the
    /// same call succeeds later. A batch that does not fit reverts as a whole and refuses none of its entries.
    error HourlyLimitReached(address signer, uint256 left, uint256 retryAt);
    /// @notice The limit cannot be zero: to stop minting and deliveries, remove the signers.
    error LimitPerHourZero();

    constructor(uint64 limit) {
        _setLimit(limit, limit, block.timestamp);
    }

    /// @notice Lowers the limit at once. Raises it at once while the contract is not in use, afterwards DELAY later
    /// without another call. Each call replaces a raise that is announced.
    function setLimitPerHour(uint64 limit) external onlyOwner {
        uint64 present = limitPerHour();
        _setLimit(present, limit, limit > present ? _extensionFrom() : block.timestamp);
    }

    /// @notice Maximum number of tokens of one signer in one clock hour. Not below the number of entries in a batch.
    function limitPerHour() public view returns (uint64) {
        Limit memory limit = _limit;
        return block.timestamp >= limit.from ? limit.next : limit.present;
    }

    /// @notice Tokens that the signer has left in this hour.
    function leftInHour(address signer) public view returns (uint256) {
        uint256 limit = limitPerHour();
        uint256 tokens = _tokensIn(_thisHour(), signer);
        return tokens < limit ? limit - tokens : 0;
    }

    function _count(uint256 tokens) internal {
        uint64 hour = _thisHour();
        uint256 sum = _tokensIn(hour, msg.sender) + tokens;
        if (sum > limitPerHour()) {
            revert HourlyLimitReached(msg.sender, leftInHour(msg.sender), (uint256(hour) + 1) * 1 hours);
        }
        // At most the limit, which fits.
        _hourOf[msg.sender] = Hour(hour, uint64(sum));
    }

    function _tokensIn(uint64 hour, address signer) private view returns (uint256) {
        Hour memory counted = _hourOf[signer];
        return counted.number == hour ? counted.tokens : 0;
    }

    function _thisHour() private view returns (uint64) {
        return uint64(block.timestamp / 1 hours);
    }

    function _setLimit(uint64 present, uint64 next, uint256 from) private {
        if (next == 0) revert LimitPerHourZero();
        _limit = Limit(present, next, uint64(from));
        emit LimitPerHourChanged(next, from);
    }
}
