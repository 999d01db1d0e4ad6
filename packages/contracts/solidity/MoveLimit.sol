// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Signers} from "./Signers.sol";

/**
 * @title MoveLimit
 * @notice Limits how many tokens one signer moves in a clock hour, so that a stolen key cannot empty the custody before
 * its owner removes it.
 */
abstract contract MoveLimit is Signers {
    /// @dev One slot: the hour since 1970, and the moves in it.
    struct Hour {
        uint64 number;
        uint64 moves;
    }

    /// @notice Maximum number of moves of one signer in one clock hour. Not below the number of lines in a batch.
    uint64 public movesPerHour;

    mapping(address signer => Hour) private _hourOf;

    event MovesPerHourChanged(uint64 movesPerHour);

    /// @notice The signer has no moves left until `retryAt` (seconds since 1970). It concerns no line: the same call
    /// succeeds later. A batch that does not fit reverts as a whole and refuses none of its lines.
    error MoveLimitReached(address signer, uint256 left, uint256 retryAt);
    /// @notice The limit cannot be zero: to stop deliveries, remove the signers.
    error MovesPerHourZero();

    constructor(uint64 limit) {
        _setMovesPerHour(limit);
    }

    function setMovesPerHour(uint64 limit) external onlyOwner {
        _setMovesPerHour(limit);
    }

    /// @notice Moves that the signer has left in this hour.
    function movesLeft(address signer) public view returns (uint256) {
        uint256 moves = _hourOf[signer].number == _thisHour() ? _hourOf[signer].moves : 0;
        return moves < movesPerHour ? movesPerHour - moves : 0;
    }

    function _countMoves(uint256 moves) internal {
        uint64 hour = _thisHour();
        Hour memory counted = _hourOf[msg.sender];
        uint256 before = counted.number == hour ? counted.moves : 0;
        if (before + moves > movesPerHour) {
            revert MoveLimitReached(msg.sender, movesLeft(msg.sender), (uint256(hour) + 1) * 1 hours);
        }
        // At most `movesPerHour`, which fits.
        _hourOf[msg.sender] = Hour(hour, uint64(before + moves));
    }

    function _thisHour() private view returns (uint64) {
        return uint64(block.timestamp / 1 hours);
    }

    function _setMovesPerHour(uint64 limit) private {
        if (limit == 0) revert MovesPerHourZero();
        movesPerHour = limit;
        emit MovesPerHourChanged(limit);
    }
}
