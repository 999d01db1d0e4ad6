// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/**
 * @title One entry of a batch, tried so that whatever goes wrong in it stays in it.
 * @dev An entry runs as a call of the contract to itself: a revert undoes that entry alone. Entries reach code of
 * strangers (a recipient's receiver hook, a contract wallet's signature check), which may burn all gas it gets or
 * revert with a megabyte of data, so both are bounded here.
 */
abstract contract Batch {
    /// @notice What one entry may burn. A plain delivery takes about a fifth of it; the rest is for contract wallets.
    uint256 public constant ENTRY_GAS = 600_000;

    /// @dev Kept free for what follows an entry: its log and the loop.
    uint256 private constant RESERVE_GAS = 30_000;

    /// @dev Longer reasons are cut: every byte of them is paid for in memory here and in the log.
    uint256 private constant REASON_BYTES = 260;

    /// @notice Only the contract itself may call this, as an entry of a batch.
    error OnlyInBatch(address caller);
    /// @notice The transaction's gas limit is too low. Without this check an entry would fail for want of gas and be
    /// logged as refused although nothing is wrong with it.
    error BatchNeedsMoreGas(uint256 left, uint256 needed);

    modifier onlyInBatch() {
        if (msg.sender != address(this)) revert OnlyInBatch(msg.sender);
        _;
    }

    function _tryEntry(bytes memory entry) internal returns (bool done, bytes memory reason) {
        // A call can pass on at most 63/64 of the gas left.
        uint256 needed = (ENTRY_GAS * 64) / 63 + RESERVE_GAS;
        if (gasleft() < needed) revert BatchNeedsMoreGas(gasleft(), needed);

        uint256 entryGas = ENTRY_GAS;
        uint256 limit = REASON_BYTES;
        assembly ("memory-safe") {
            done := call(entryGas, address(), 0, add(entry, 0x20), mload(entry), 0, 0)
            reason := mload(0x40)
            let size := 0
            if iszero(done) {
                size := returndatasize()
                if gt(size, limit) {
                    size := limit
                }
            }
            mstore(reason, size)
            returndatacopy(add(reason, 0x20), 0, size)
            mstore(0x40, add(add(reason, 0x20), and(add(size, 31), not(31))))
        }
    }
}
