// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Batch} from "./Batch.sol";
import {IERC4494} from "./IERC4494.sol";
import {Signers} from "./Signers.sol";

/**
 * @title Nifty delivery
 * @notice Delivers sold tokens to their buyers, and holds tokens in custody for accounts without a wallet. A line id
 * (an order line) is delivered at most once on this chain, also when the service repeats it after a restart or a
 * restored backup.
 * @dev Custody accounts are opaque 32-byte ids. Each token in custody has exactly one beneficiary, which a delivery out
 * of custody has to name: a line of an earlier sale names another beneficiary and reverts.
 */
contract NiftyDelivery is Signers, Batch, ReentrancyGuardTransient, IERC721Receiver {
    /// @dev The parameters of `deliver`.
    struct Line {
        bytes32 lineId;
        address token;
        address from;
        address to;
        uint256 id;
        bytes permit;
    }

    /// @dev The conventional burn address.
    address private constant DEAD = 0x000000000000000000000000000000000000dEaD;

    mapping(bytes32 lineId => bool) public isLineUsed;
    mapping(address token => bool) public isCollection;
    /// @notice The custody account of a token; zero when the token is not in custody.
    mapping(address token => mapping(uint256 id => bytes32 account)) public beneficiaryOf;

    event Delivered(
        bytes32 indexed lineId, address indexed token, uint256 indexed id, address from, address to
    );
    event Refused(bytes32 indexed lineId, bytes reason);
    event CustodyIn(address indexed token, uint256 indexed id, bytes32 indexed account, address from);
    event CustodyOut(address indexed token, uint256 indexed id, bytes32 indexed account, address to);
    event BeneficiaryChanged(
        address indexed token, uint256 indexed id, bytes32 indexed account, bytes32 previous, bytes32 lineId
    );
    event CollectionAccepted(address indexed token);
    event CollectionDropped(address indexed token);

    /// @notice The line id is zero.
    error LineIdEmpty();
    error LineUsed(bytes32 lineId);
    /// @notice The owner has not accepted this collection: a foreign contract may return any data.
    error CollectionNotAccepted(address token);
    error CollectionUnchanged(address token);
    /// @notice The recipient is the zero address, the burn address, this contract, a signer, a collection or the holder.
    error RecipientNotAllowed(address to);
    error NotHolder(address token, uint256 id, address named, address holder);
    error NotBeneficiary(address token, uint256 id, bytes32 named, bytes32 account);
    /// @notice `permit` is not 32 bytes (custody), or not a deadline and a signature (wallet).
    error PermitMalformed(bytes32 lineId, uint256 length);
    /// @notice A deposit has to name a custody account; otherwise the token would have no beneficiary.
    error AccountMissing(address token, uint256 id);
    error AlreadyInCustody(address token, uint256 id, bytes32 account);

    constructor(address owner, address signer, address[] memory collections) Signers(owner, signer) {
        for (uint256 i = 0; i < collections.length; ++i) {
            _acceptCollection(collections[i]);
        }
    }

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
        _deliver(lineId, token, from, to, id, permit);
    }

    /// @notice Delivers several lines in one transaction. A line that reverts logs `Refused` and leaves its line id
    /// unused; the others are delivered.
    function deliverMany(Line[] calldata lines) external onlySigner nonReentrant {
        for (uint256 i = 0; i < lines.length; ++i) {
            (bool done, bytes memory reason) = _tryEntry(abi.encodeCall(this.deliverEntry, (lines[i])));
            if (!done) emit Refused(lines[i].lineId, reason);
        }
    }

    /// @dev External, so that a revert undoes this entry only. The batch holds the reentrancy guard.
    function deliverEntry(Line calldata line) external onlyInBatch {
        _deliver(line.lineId, line.token, line.from, line.to, line.id, line.permit);
    }

    /// @notice Transfers a token inside custody, to a buyer without a wallet. Uses the line id, so that the same line
    /// cannot be delivered to a wallet as well.
    function changeBeneficiary(bytes32 lineId, address token, uint256 id, bytes32 previous, bytes32 account)
        external
        onlySigner
        nonReentrant
    {
        _useLine(lineId);
        _checkCollection(token);
        _checkBeneficiary(token, id, previous);
        if (account == 0) revert AccountMissing(token, id);
        beneficiaryOf[token][id] = account;
        emit BeneficiaryChanged(token, id, account, previous, lineId);
    }

    /// @notice Takes a token into custody: a safe transfer or safe mint of an accepted collection whose data is the
    /// 32-byte custody account. Reverts otherwise, so that the token stays with its holder.
    function onERC721Received(address, address from, uint256 id, bytes calldata data) external returns (bytes4) {
        _checkCollection(msg.sender);
        if (data.length != 32) revert AccountMissing(msg.sender, id);
        _takeIn(msg.sender, id, bytes32(data), from);
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @notice Sets the beneficiary of a token that arrived by a plain `transferFrom`, which calls no receiver hook.
    function recordStranded(address token, uint256 id, bytes32 account) external onlyOwner {
        _checkCollection(token);
        _checkHolder(token, id, address(this));
        _takeIn(token, id, account, address(0));
    }

    function acceptCollection(address token) external onlyOwner {
        _acceptCollection(token);
    }

    /// @notice Stops deposits and deliveries of a collection. Its tokens in custody keep their beneficiaries and can be
    /// delivered after the collection is accepted again.
    function dropCollection(address token) external onlyOwner {
        if (!isCollection[token]) revert CollectionUnchanged(token);
        isCollection[token] = false;
        emit CollectionDropped(token);
    }

    function _deliver(bytes32 lineId, address token, address from, address to, uint256 id, bytes calldata permit)
        private
    {
        _useLine(lineId);
        _checkCollection(token);
        _checkRecipient(from, to);
        _checkHolder(token, id, from);

        if (from == address(this)) {
            if (permit.length != 32) revert PermitMalformed(lineId, permit.length);
            bytes32 account = bytes32(permit);
            _checkBeneficiary(token, id, account);
            delete beneficiaryOf[token][id];
            emit CustodyOut(token, id, account, to);
        } else {
            // Deadline, offset and length of the signature are three words; at least one byte follows.
            if (permit.length <= 96) revert PermitMalformed(lineId, permit.length);
            (uint256 deadline, bytes memory signature) = abi.decode(permit, (uint256, bytes));
            IERC4494(token).permit(address(this), id, deadline, signature);
        }

        // Emitted before the receiver hook runs, so that the logs are in order when the recipient deposits the token
        // again inside its hook.
        emit Delivered(lineId, token, id, from, to);
        IERC721(token).safeTransferFrom(from, to, id);
    }

    function _useLine(bytes32 lineId) private {
        if (lineId == 0) revert LineIdEmpty();
        if (isLineUsed[lineId]) revert LineUsed(lineId);
        isLineUsed[lineId] = true;
    }

    function _takeIn(address token, uint256 id, bytes32 account, address from) private {
        if (account == 0) revert AccountMissing(token, id);
        bytes32 present = beneficiaryOf[token][id];
        if (present != 0) revert AlreadyInCustody(token, id, present);
        beneficiaryOf[token][id] = account;
        emit CustodyIn(token, id, account, from);
    }

    function _acceptCollection(address token) private {
        if (token.code.length == 0) revert CollectionNotAccepted(token);
        if (isCollection[token]) revert CollectionUnchanged(token);
        isCollection[token] = true;
        emit CollectionAccepted(token);
    }

    function _checkCollection(address token) private view {
        if (!isCollection[token]) revert CollectionNotAccepted(token);
    }

    function _checkRecipient(address from, address to) private view {
        if (
            to == address(0) || to == DEAD || to == address(this) || to == from || isCollection[to] || isSigner[to]
        ) revert RecipientNotAllowed(to);
    }

    function _checkHolder(address token, uint256 id, address named) private view {
        address holder = IERC721(token).ownerOf(id);
        if (holder != named) revert NotHolder(token, id, named, holder);
    }

    /// @dev Zero is not an account: it never matches a token that is not in custody.
    function _checkBeneficiary(address token, uint256 id, bytes32 named) private view {
        bytes32 account = beneficiaryOf[token][id];
        if (account == 0 || account != named) revert NotBeneficiary(token, id, named, account);
    }
}
