// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Batch} from "./Batch.sol";
import {IERC4494} from "./IERC4494.sol";
import {Signers} from "./Signers.sol";

/**
 * @title The store's hands: moves a sold token to its buyer, once, and keeps tokens of people without a wallet.
 * @notice A delivery names its order line. A line is carried out at most once on this chain, whatever the service
 * that asks for it has forgotten, restored or started twice.
 * @dev Custody accounts are opaque 32-byte ids. Each token in custody has exactly one beneficiary, and whoever takes
 * it out must name that beneficiary: a line of an earlier sale finds another name there and is refused.
 */
contract NiftyDelivery is Signers, Batch, ReentrancyGuardTransient, IERC721Receiver {
    /// @dev The arguments of `deliver`.
    struct Line {
        bytes32 lineId;
        address token;
        address from;
        address to;
        uint256 id;
        bytes permit;
    }

    /// @dev Where people send what they want to be rid of; nobody buys a work to burn it.
    address private constant DEAD = 0x000000000000000000000000000000000000dEaD;

    mapping(bytes32 lineId => bool) public isLineUsed;
    mapping(address token => bool) public isCollection;
    /// @notice Whose token the custody keeps; zero when it does not keep it.
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

    /// @notice Zero as a line id is a forgotten argument, not a key.
    error LineIdEmpty();
    error LineUsed(bytes32 lineId);
    /// @notice Only collections that the owner accepted: a foreign contract could answer anything.
    error CollectionNotAccepted(address token);
    error CollectionUnchanged(address token);
    /// @notice Zero, burn, custody, signer and token addresses are nobody's wallet; nor is the holder's own.
    error RecipientNotAllowed(address to);
    error NotHolder(address token, uint256 id, address named, address holder);
    error NotBeneficiary(address token, uint256 id, bytes32 named, bytes32 account);
    /// @notice From custody: 32 bytes, the beneficiary. From a wallet: the deadline and the signature of a permit.
    error PermitMalformed(bytes32 lineId, uint256 length);
    /// @notice A token sent here without naming an account would belong to nobody, so it is not taken.
    error AccountMissing(address token, uint256 id);
    error AlreadyInCustody(address token, uint256 id, bytes32 account);

    constructor(address owner, address signer, address[] memory collections) Signers(owner, signer) {
        for (uint256 i = 0; i < collections.length; ++i) {
            _acceptCollection(collections[i]);
        }
    }

    /**
     * @notice Moves token `id` to `to` for order line `lineId`, once.
     * @param from the custody (this contract) or the wallet that holds the token
     * @param permit from custody `abi.encode(bytes32 account)`, the beneficiary that it is taken from; from a wallet
     * `abi.encode(uint256 deadline, bytes signature)`, an ERC-4494 permit of that wallet for this contract. Always
     * asked for, even where an approval stands: an approval does not say that it is still wanted.
     */
    function deliver(bytes32 lineId, address token, address from, address to, uint256 id, bytes calldata permit)
        external
        onlySigner
        nonReentrant
    {
        _deliver(lineId, token, from, to, id, permit);
    }

    /// @notice Several lines in one transaction. One that cannot be delivered logs `Refused` and does not harm the
    /// others; its line id stays unused.
    function deliverMany(Line[] calldata lines) external onlySigner nonReentrant {
        for (uint256 i = 0; i < lines.length; ++i) {
            (bool done, bytes memory reason) = _tryEntry(abi.encodeCall(this.deliverEntry, (lines[i])));
            if (!done) emit Refused(lines[i].lineId, reason);
        }
    }

    /// @dev External only so that a revert undoes this entry alone; the batch around it holds the guard.
    function deliverEntry(Line calldata line) external onlyInBatch {
        _deliver(line.lineId, line.token, line.from, line.to, line.id, line.permit);
    }

    /// @notice Hands a token in custody from one account to another, for somebody who has no wallet. Counts as the
    /// delivery of its line, so that the same line cannot be delivered to a wallet as well.
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

    /// @notice The door into custody: a safe transfer or safe mint of an accepted collection, with the 32-byte account
    /// as its data. Refused otherwise, so that no token is stranded by mistake.
    function onERC721Received(address, address from, uint256 id, bytes calldata data) external returns (bytes4) {
        _checkCollection(msg.sender);
        if (data.length != 32) revert AccountMissing(msg.sender, id);
        _takeIn(msg.sender, id, bytes32(data), from);
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @notice For a token that came by a plain `transferFrom`, which asks nobody: names its beneficiary afterwards.
    function recordStranded(address token, uint256 id, bytes32 account) external onlyOwner {
        _checkCollection(token);
        _checkHolder(token, id, address(this));
        _takeIn(token, id, account, address(0));
    }

    function acceptCollection(address token) external onlyOwner {
        _acceptCollection(token);
    }

    /// @notice Stops deposits and deliveries of a collection. What is in custody stays recorded and leaves after the
    /// collection is accepted again.
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
            // deadline, offset and length of the signature: three words, then at least one byte.
            if (permit.length <= 96) revert PermitMalformed(lineId, permit.length);
            (uint256 deadline, bytes memory signature) = abi.decode(permit, (uint256, bytes));
            IERC4494(token).permit(address(this), id, deadline, signature);
        }

        // Logged before the recipient's hook can act, so that the logs tell what happened in the order it happened:
        // a recipient that hands the token straight back has its deposit after the delivery.
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

    /// @dev No account is zero, so that naming nobody never matches a token that is not in custody.
    function _checkBeneficiary(address token, uint256 id, bytes32 named) private view {
        bytes32 account = beneficiaryOf[token][id];
        if (account == 0 || account != named) revert NotBeneficiary(token, id, named, account);
    }
}
