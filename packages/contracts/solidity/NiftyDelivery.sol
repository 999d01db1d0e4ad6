// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Batch} from "./Batch.sol";
import {Custody} from "./Custody.sol";
import {HourlyLimit} from "./HourlyLimit.sol";
import {IERC4494} from "./IERC4494.sol";
import {Signers} from "./Signers.sol";

/**
 * @title Nifty delivery
 * @notice Delivers sold tokens to their buyers, into wallets or into custody. A line id (an order line) is delivered at
 * most once on this chain, also when the service repeats it after a restart or a restored backup, and also when this
 * contract has taken the custody over from another one.
 * @dev A delivery out of custody has to name the beneficiary: a line of an earlier sale names another one and reverts.
 */
contract NiftyDelivery is Signers, HourlyLimit, Custody, Batch, ReentrancyGuardTransient {
    /// @dev The parameters of `deliver` (`account` is zero) or of `deliverToCustody` (`to` is zero).
    struct Line {
        bytes32 lineId;
        address token;
        address from;
        address to;
        bytes32 account;
        uint256 id;
        bytes permit;
    }

    /// @dev The conventional burn address.
    address private constant DEAD = 0x000000000000000000000000000000000000dEaD;

    mapping(bytes32 lineId => bool) private _isLineUsed;

    event Delivered(
        bytes32 indexed lineId, address indexed token, uint256 indexed id, address from, address to
    );
    event Refused(bytes32 indexed lineId, bytes reason);

    /// @notice The line id is zero.
    error LineIdEmpty();
    error LineUsed(bytes32 lineId);
    /// @notice The recipient is the zero address, the burn address, this contract, a signer, a collection or the holder.
    error RecipientNotAllowed(address to);
    /// @notice `permit` is not 32 bytes (custody), or not a deadline and a signature (wallet).
    error PermitMalformed(bytes32 lineId, uint256 length);

    constructor(
        address owner,
        address[] memory signers,
        address[] memory collections,
        uint64 movesPerHour,
        address predecessor_
    ) Signers(owner, signers) HourlyLimit(movesPerHour) Custody(collections, predecessor_) {}

    /**
     * @notice Transfers token `id` to `to`, once per line id.
     * @param lineId id of the order line
     * @param token the collection
     * @param from the holder: this contract (custody) or a wallet
     * @param to the recipient
     * @param id the token id
     * @param permit out of custody: `abi.encode(bytes32 account)`, the beneficiary; out of a wallet:
     * `abi.encode(uint256 deadline, bytes signature)`, an ERC-4494 permit of that wallet for this contract. It is
     * required even with an approval, because an approval outlives the holding that it was given for.
     */
    function deliver(bytes32 lineId, address token, address from, address to, uint256 id, bytes calldata permit)
        external
        onlySigner
        nonReentrant
    {
        _count(1);
        _deliver(lineId, token, from, to, id, permit);
    }

    /// @notice Like `deliver`, to a buyer without a wallet: afterwards the token is in custody for `account`.
    function deliverToCustody(
        bytes32 lineId,
        address token,
        address from,
        bytes32 account,
        uint256 id,
        bytes calldata permit
    ) external onlySigner nonReentrant {
        _count(1);
        _deliverToCustody(lineId, token, from, account, id, permit);
    }

    /// @notice Delivers several lines in one transaction. A line that reverts logs `Refused` and leaves its line id
    /// unused; the others are delivered. What concerns no single line reverts the whole batch: the hourly limit, and a
    /// collection that is not accepted.
    function deliverMany(Line[] calldata lines) external onlySigner nonReentrant {
        _count(lines.length);
        for (uint256 i = 0; i < lines.length; ++i) {
            _checkCollection(lines[i].token);
        }
        for (uint256 i = 0; i < lines.length; ++i) {
            (bool done, bytes memory reason) = _tryEntry(abi.encodeCall(this.deliverEntry, (lines[i])));
            if (!done) emit Refused(lines[i].lineId, reason);
        }
    }

    /// @dev External, so that a revert undoes this entry only. The batch holds the reentrancy guard.
    function deliverEntry(Line calldata line) external onlyInBatch {
        if (line.account == 0) {
            _deliver(line.lineId, line.token, line.from, line.to, line.id, line.permit);
        } else {
            if (line.to != address(0)) revert RecipientNotAllowed(line.to);
            _deliverToCustody(line.lineId, line.token, line.from, line.account, line.id, line.permit);
        }
    }

    /// @notice Transfers a token inside custody without a sale, for a gift. Uses the line id, so that the same line cannot
    /// be delivered as well.
    function changeBeneficiary(bytes32 lineId, address token, uint256 id, bytes32 previous, bytes32 account)
        external
        onlySigner
        nonReentrant
    {
        _count(1);
        _useLine(lineId);
        _checkCollection(token);
        _checkBeneficiary(token, id, previous);
        _changeBeneficiary(lineId, token, id, previous, account);
    }

    /// @notice Whether this contract or one of its predecessors has delivered the line.
    function isLineUsed(bytes32 lineId) public view returns (bool) {
        if (_isLineUsed[lineId]) return true;
        return predecessor != address(0) && NiftyDelivery(predecessor).isLineUsed(lineId);
    }

    function _deliver(bytes32 lineId, address token, address from, address to, uint256 id, bytes calldata permit)
        private
    {
        _useLine(lineId);
        _checkCollection(token);
        _checkRecipient(from, to);
        _checkHolder(token, id, from);
        if (from == address(this)) _release(token, id, _checkedBeneficiary(lineId, token, id, permit), to);
        else _usePermit(lineId, token, id, permit);

        // Emitted before the receiver hook runs, so that the logs are in order when the recipient passes the token on
        // inside its hook.
        emit Delivered(lineId, token, id, from, to);
        IERC721(token).safeTransferFrom(from, to, id);
    }

    function _deliverToCustody(
        bytes32 lineId,
        address token,
        address from,
        bytes32 account,
        uint256 id,
        bytes calldata permit
    ) private {
        _useLine(lineId);
        _checkCollection(token);
        _checkHolder(token, id, from);
        if (from == address(this)) {
            bytes32 previous = _checkedBeneficiary(lineId, token, id, permit);
            emit Delivered(lineId, token, id, from, address(this));
            _changeBeneficiary(lineId, token, id, previous, account);
        } else {
            _usePermit(lineId, token, id, permit);
            emit Delivered(lineId, token, id, from, address(this));
            // The receiver hook of this contract records the account.
            IERC721(token).safeTransferFrom(from, address(this), id, abi.encode(account));
        }
    }

    function _useLine(bytes32 lineId) private {
        if (lineId == 0) revert LineIdEmpty();
        if (isLineUsed(lineId)) revert LineUsed(lineId);
        _isLineUsed[lineId] = true;
    }

    /// @dev The beneficiary that `permit` names, when it is the present one.
    function _checkedBeneficiary(bytes32 lineId, address token, uint256 id, bytes calldata permit)
        private
        view
        returns (bytes32 account)
    {
        if (permit.length != 32) revert PermitMalformed(lineId, permit.length);
        account = bytes32(permit);
        _checkBeneficiary(token, id, account);
    }

    function _usePermit(bytes32 lineId, address token, uint256 id, bytes calldata permit) private {
        // Deadline, offset and length of the signature are three words; at least one byte follows.
        if (permit.length <= 96) revert PermitMalformed(lineId, permit.length);
        (uint256 deadline, bytes memory signature) = abi.decode(permit, (uint256, bytes));
        IERC4494(token).permit(address(this), id, deadline, signature);
    }

    function _checkRecipient(address from, address to) private view {
        if (
            to == address(0) || to == DEAD || to == address(this) || to == from || isCollection[to]
                || signerFrom[to] != 0
        ) revert RecipientNotAllowed(to);
    }
}
